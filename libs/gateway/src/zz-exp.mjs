import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
let t = performance.now();
const { checkSync } = require('recheck/lib/browser.js');
console.log('load', performance.now() - t);
const long = 'a'.repeat(500);
for (const [p, name] of [
  ['^a+$'],
  ['(a+)+$'],
  ['\\s+$'],
  ['a+b'],
  ['a*b*c'],
  ['^(a|b)*abb$'],
  ['^\\d{4}-\\d{2}-\\d{2}$'],
  ['^[a-z]{1,64}$'],
  ['^.{1,1000}$'],
  ['^(?:[a-z]{1,30}){1,30}$'],
  ['(?=a)b'],
  ['(a)\\1'],
  ['^' + '(a|b|ab)*'.repeat(20) + '$'],
  ['^([a-z0-9]+\\.)*[a-z0-9]+$'],
  ['^[\\p{L}\\p{N} ]+$'],
  ['^(?:\\p{L}\\p{N}?){0,20}$'],
  ['^' + '[a-z]?'.repeat(100) + '$'],
  ['^' + '(?:a?b?c?)'.repeat(60) + '$'],
  [long],
  ['^[^@]+@[^@]+\\.[^@]+$'],
  ['^(https?)://[^\\s/$.?#].[^\\s]*$'],
  ['^' + '(x|y|z){0,30}'.repeat(20) + '$'],
  ['^\\S+@\\S+$'],
  ['^\\w+(?:-\\w+)*$'],
  ['^[A-Z]{2}[0-9]{1,10}$'],
  [''],
]) {
  for (const opts of [
    { checker: 'automaton', timeout: null, maxNFASize: 3000, maxPatternSize: 1000, maxRepeatCount: 100 },
    { timeout: 500 },
  ]) {
    t = performance.now();
    let r;
    try {
      r = checkSync(p, 'u', opts);
    } catch (e) {
      r = { status: 'threw ' + e.message };
    }
    console.log(
      p.slice(0, 40).padEnd(42),
      r.status,
      r.complexity?.type,
      r.checker,
      r.error?.kind,
      r.error?.message?.slice(0, 60),
      (performance.now() - t).toFixed(0) + 'ms',
    );
  }
}

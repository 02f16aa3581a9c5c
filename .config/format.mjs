// node .config/format.mjs [--write]   whether everything is formatted; --write formats it
import { folders, runAll, tool } from './run.mjs';

const write = process.argv.includes('--write') ? ['--write'] : [];
runAll([
  [
    'format (npm run format mends it)',
    () => tool('biome', 'format', '--config-path=.config/lint.biome.json', ...write, ...folders),
  ],
]);

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '@kungfu/embedded';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** A start of the built program: what it says, and how it ends. */
class Start {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | NodeJS.Signals>;
  said = '';
  complained = '';

  constructor(...args: readonly string[]) {
    this.#child = spawn(process.execPath, [main, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'] },
    });
    this.#child.stdout?.on('data', (text) => (this.said += text));
    this.#child.stderr?.on('data', (text) => (this.complained += text));
    this.#ended = new Promise((resolve) => this.#child.once('close', (code, signal) => resolve(code ?? signal ?? 0)));
  }

  /** Resolves with what it has said once it runs. */
  async runs(): Promise<string> {
    const running = new Promise<void>((resolve) =>
      this.#child.stdout?.on('data', () => this.said.includes('  data ') && resolve()),
    );
    const ended = this.#ended.then((how) => Promise.reject(new Error(`ended (${how}): ${this.complained}`)));
    await Promise.race([running, ended]);
    return this.said;
  }

  ended(): Promise<number | NodeJS.Signals> {
    return this.#ended;
  }

  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
    this.#child.kill(signal);
    return this.#ended;
  }
}

describe('npm start', () => {
  let folder: string;
  let ports: readonly string[];
  let starts: Start[];
  const start = (...args: readonly string[]): Start => {
    const started = new Start(...args);
    starts.push(started);
    return started;
  };
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kungfu-standalone-'));
    ports = ['--port', String(await freePort()), '--admin-port', String(await freePort())];
    starts = [];
  });
  afterEach(async () => {
    await Promise.all(starts.map((started) => started.end('SIGKILL')));
    rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  });

  it('has been built', () => {
    expect(existsSync(main)).toBe(true);
  });

  it('tells the keys of two agents once, with a request that works, and ends when asked', async () => {
    const data = join(folder, 'data');
    const first = start('--data', data, ...ports);
    const said = await first.runs();
    expect(said).toContain(`  data            ${data}\n`);
    const keys = [...said.matchAll(/^ {2}(agent_\w{26}) {2}(\S+)$/gm)].map(([, agent, key]) => ({ agent, key }));
    expect(keys).toHaveLength(2);
    const [, url = '', authorization = ''] = /curl (\S+) -H 'Authorization: (.+)'/.exec(said) ?? [];
    const me = await fetch(url, { headers: { authorization } });
    expect(me.status).toBe(200);
    expect(await me.json()).toMatchObject({ agent: keys[0]?.agent, state: 'active' });
    expect(statSync(join(data, 'admin-token')).mode & 0o777).toBe(0o600);
    expect(await first.end('SIGTERM')).toBe(0);
    expect(first.complained).toBe('');

    const second = start('--data', data, ...ports);
    expect(await second.runs()).not.toMatch(/agent_|curl/);
    expect((await fetch(url, { headers: { authorization } })).status).toBe(200);
    expect(await second.end('SIGINT')).toBe(0);
    expect(second.complained).toBe('');
  }, 120_000);

  it('loses nothing that was answered when it is killed', async () => {
    const data = join(folder, 'data');
    const first = start('--data', data, ...ports);
    const said = await first.runs();
    const authorization = /Authorization: ([^']+)/.exec(said)?.[1] ?? '';
    const url = `http://127.0.0.1:${ports[1]}/v1/threads`;
    const make = () =>
      fetch(url, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', 'idempotency-key': 'one' },
        body: '{"content":{"title":"kept"}}',
      });
    const made = (await (await make()).json()) as { receipt: object };
    await first.end('SIGKILL');
    const second = start('--data', data, ...ports);
    await second.runs();
    const again = await make();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.json()).toMatchObject({ receipt: made.receipt });
    expect(await second.end('SIGTERM')).toBe(0);
  }, 120_000);

  it('refuses a data folder or a port in use, in one line', async () => {
    const data = join(folder, 'data');
    const first = start('--data', data, ...ports);
    await first.runs();
    const samePort = start('--data', join(folder, 'other'), ...ports);
    expect(await samePort.ended()).toBe(1);
    expect(samePort.complained).toBe(`port ${ports[1]} of 127.0.0.1 is in use\n`);
    expect(existsSync(join(folder, 'other'))).toBe(false);
    const sameFolder = start(
      '--data',
      data,
      '--port',
      String(await freePort()),
      '--admin-port',
      String(await freePort()),
    );
    expect(await sameFolder.ended()).toBe(1);
    expect(sameFolder.complained).toMatch(/^the data folder \S+ is in use by process \d+\n$/);
    expect(await first.end('SIGTERM')).toBe(0);
  }, 120_000);

  it('ends when asked while it starts, and leaves nothing behind that runs', async () => {
    const data = join(folder, 'data');
    const started = start('--data', data, ...ports);
    const pidFile = join(data, 'postgres', 'postmaster.pid');
    while (!existsSync(pidFile)) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await started.end('SIGTERM')).toBe(0);
    expect(existsSync(pidFile)).toBe(false);
    expect(existsSync(join(data, 'kungfu.lock'))).toBe(false);
  }, 120_000);

  it('refuses what it does not know', async () => {
    const unknown = start('--colour', 'red');
    expect(await unknown.ended()).toBe(1);
    expect(unknown.complained).toContain("Unknown option '--colour'");
    const wrong = start('--data', folder, '--port', 'high');
    expect(await wrong.ended()).toBe(1);
    expect(wrong.complained).toMatch(/^KUNGFU_PORT: .+\n$/);
  });
});

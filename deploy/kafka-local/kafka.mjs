#!/usr/bin/env node
/**
 * A real Apache Kafka on this machine without containers: Java 17 and, the first time, Maven 3.
 *
 *   node deploy/kafka-local/kafka.mjs fetch
 *       Copies the jars named in pom.xml (54 MB) to .cache/kafka/VERSION. Done already: does nothing.
 *   node deploy/kafka-local/kafka.mjs start [--dir DIR] [--temporary] [--port PORT] [--nodes 1|3] [--while PID]
 *       Fetches if need be, formats DIR if it is new and runs one KRaft node, or a cluster of three, in the foreground.
 *       Prints `ready HOST:PORT[,…]` when clients can connect. Ctrl-C, or SIGTERM, stops it cleanly; a second one at once.
 *       --dir    where the data and the logs (node-N.log) are; default .cache/kafka/data-NODES. Starting again over a DIR goes
 *                on with its data.
 *       --temporary  removes DIR at the end, and is up sooner; without --dir it is in the system's temporary folder.
 *       --port   of the first node, default 9092; the other nodes and the controllers take the ports that follow. 0: any.
 *       --while  ends by itself, at once, when process PID has ended.
 *
 * No Java outlives its parent, however that ends: each JVM hangs on a pipe that its parent holds. Forked with an IPC channel
 * (tests), it ends when the channel does, sends {ready: [addresses]} and obeys {kill: node} and {start: node}, which it
 * answers with the same message once done; nodes count from 1.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const cache = resolve(here, '../../.cache/kafka');
const host = '127.0.0.1';
const startMsMax = 120_000;
const stopMsMax = 15_000;

/** A mistake of the caller's or a missing tool: told in one line, without a stack. */
class Complaint extends Error {}

/** Runs to the end; throws a Complaint with what it printed when that is not 0. */
const run = (command, args, options = {}) =>
  new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
    child.once('error', (error) => fail(new Complaint(`${command} does not run: ${error.message}`)));
    child.once('close', (code) =>
      code === 0 ? done(printed) : fail(new Complaint(`${command} failed (${code}):\n${printed}`)),
    );
  });

/** The folder of the jars, copied there by Maven unless they are there. Safe to run several at a time. */
const fetchJars = async () => {
  const pom = await readFile(join(here, 'pom.xml'), 'utf8');
  const version = /<kafka\.version>([^<]+)</.exec(pom)?.[1];
  const jars = join(cache, version);
  if (existsSync(jars)) return jars;
  await mkdir(cache, { recursive: true });
  const partial = await mkdtemp(join(cache, 'fetching-'));
  try {
    console.log(`fetching Kafka ${version}`);
    await run('mvn', [
      '-q',
      '-B',
      '-f',
      join(here, 'pom.xml'),
      'dependency:copy-dependencies',
      `-DoutputDirectory=${partial}`,
    ]);
    await rename(partial, jars).catch((error) => {
      if (!existsSync(jars)) throw error; // another was faster
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return jars;
};

const isFree = (port) =>
  new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => done(true)));
  });

const areFree = async (first, count) =>
  (await Promise.all(Array.from({ length: count }, (_, i) => isFree(first + i)))).every(Boolean);

/** The first of `count` ports in a row: the one asked for, or any. */
const portsFor = async (asked, count) => {
  if (asked !== 0) {
    for (let port = asked; port < asked + count; port++) {
      if (!(await isFree(port))) throw new Complaint(`port ${port} of ${host} is in use; choose others with --port`);
    }
    return asked;
  }
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = 20_000 + Math.floor(Math.random() * 12_000); // below the ports that systems hand out by themselves
    if (await areFree(port, count)) return port;
  }
  throw new Complaint(`no ${count} free ports in a row found`);
};

/** Settings of one node of a cluster that starts fast and recovers fast. */
const propertiesOf = (node, nodes, port, dir) => {
  const replication = nodes;
  const inSync = Math.min(2, nodes);
  const controllerOf = (n) => `${host}:${port + nodes + n - 1}`;
  return {
    'process.roles': 'broker,controller',
    'node.id': node,
    'controller.quorum.voters': Array.from({ length: nodes }, (_, i) => `${i + 1}@${controllerOf(i + 1)}`).join(','),
    listeners: `PLAINTEXT://${host}:${port + node - 1},CONTROLLER://${controllerOf(node)}`,
    'advertised.listeners': `PLAINTEXT://${host}:${port + node - 1}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
    'log.dirs': join(dir, `node-${node}`),
    'auto.create.topics.enable': false,
    'unclean.leader.election.enable': false,
    'group.initial.rebalance.delay.ms': 0,
    'broker.session.timeout.ms': 6_000,
    'broker.heartbeat.interval.ms': 1_000,
    'offsets.topic.num.partitions': 3,
    'offsets.topic.replication.factor': replication,
    'transaction.state.log.num.partitions': 1,
    'transaction.state.log.replication.factor': replication,
    'transaction.state.log.min.isr': inSync,
    'share.coordinator.state.topic.num.partitions': 1,
    'share.coordinator.state.topic.replication.factor': replication,
    'share.coordinator.state.topic.min.isr': inSync,
  };
};

/** A cluster's name as Kafka makes them: 16 random bytes, not beginning with a dash. */
const clusterIdOf = async (dir) => {
  const file = join(dir, 'cluster-id');
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim();
  let id = '-';
  while (id.startsWith('-')) id = randomBytes(16).toString('base64url');
  await writeFile(file, `${id}\n`);
  return id;
};

/** `quick`: up with half the work, slower in the long run. */
const jvm = ({ jars, heapMb, quick }) => [
  `-Xmx${heapMb}m`,
  '-XX:+UseSerialGC',
  ...(quick ? ['-XX:TieredStopAtLevel=1'] : []),
  '-cp',
  join(jars, '*'),
];

/**
 * Runs a command that dies with this process, even when this one is killed with -9: a watcher beside it reads standard
 * input, which ends when this process does.
 */
const tethered = `
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
( cat <&3; kill -9 $child ) >/dev/null 2>&1 &
watcher=$!
trap 'kill -15 $child 2>/dev/null' TERM
trap '' INT
wait $child; code=$?
while kill -0 $child 2>/dev/null; do wait $child; code=$?; done
kill $watcher 2>/dev/null
exit $code`;

/** One node of the cluster: its files, and its process while it has one. */
class Node {
  #process;

  constructor(number, files) {
    this.number = number;
    this.files = files;
  }

  async format(clusterId) {
    const { dir, jars } = this.files;
    const settings = join(dir, `node-${this.number}.properties`);
    await writeFile(
      settings,
      Object.entries(this.files.properties)
        .map(([key, value]) => `${key}=${value}\n`)
        .join(''),
    );
    if (existsSync(join(dir, `node-${this.number}`, 'meta.properties'))) return;
    const format = ['kafka.tools.StorageTool', 'format', '--ignore-formatted', '-t', clusterId, '-c', settings];
    await run('java', [...jvm({ jars, heapMb: 256, quick: true }), ...format]);
  }

  /**
   * Resolves when the node serves; rejects when it ends before. `ended` is called when it ends later, unless killed. Does
   * nothing if it runs.
   */
  async start(ended) {
    if (this.#process !== undefined) return;
    await this.#start(ended);
  }

  #start(ended) {
    const { dir } = this.files;
    const logging = [
      'defaultLogLevel=warn',
      'log.kafka.server.KafkaRaftServer=info',
      'log.org.apache.kafka.clients.NetworkClient=error',
      'showDateTime=true',
    ].map((it) => `-Dorg.slf4j.simpleLogger.${it}`);
    const java = ['java', ...jvm(this.files), ...logging, 'kafka.Kafka', join(dir, `node-${this.number}.properties`)];
    const child = spawn('/bin/sh', ['-c', tethered, 'kafka', ...java], {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.#process = child;
    child.stdin.on('error', () => undefined); // it has ended: 'exit' tells
    return new Promise((done, fail) => {
      const late = setTimeout(
        () => fail(new Complaint(`node ${this.number} is not up after ${startMsMax / 1000} s`)),
        startMsMax,
      );
      const log = createWriteStream(join(dir, `node-${this.number}.log`), { flags: 'a' });
      const tail = [];
      for (const stream of [child.stdout, child.stderr]) {
        createInterface({ input: stream }).on('line', (line) => {
          if (line.includes('Kafka Server started')) done();
          log.write(`${line}\n`);
          tail.push(line);
          if (tail.length > 20) tail.shift();
        });
      }
      child.once('exit', (code, signal) => {
        clearTimeout(late);
        const killed = this.#process !== child;
        if (!killed) this.#process = undefined;
        log.end();
        const complaint = new Complaint(`${tail.join('\n')}\nnode ${this.number} has ended (${signal ?? code})`);
        fail(complaint);
        if (!killed) ended(complaint);
      });
    });
  }

  /** As kill -9 or a power failure would. */
  kill() {
    return this.#end((child) => process.kill(-child.pid, 'SIGKILL'));
  }

  /** Lets the node write down where it stands; kills it when that takes long. */
  async stop() {
    const late = setTimeout(() => this.kill(), stopMsMax);
    await this.#end((child) => child.kill('SIGTERM'));
    clearTimeout(late);
  }

  async #end(how) {
    const child = this.#process;
    if (child === undefined) return;
    const exited = new Promise((done) => child.once('exit', done));
    this.#process = undefined;
    how(child);
    await exited;
  }
}

/** Formats and starts all nodes. `ended` is called when one ends that nobody has stopped. */
const startCluster = async ({ dir, port: asked, nodes: count, quick }, ended) => {
  const jars = await fetchJars();
  const port = await portsFor(asked, 2 * count);
  await mkdir(dir, { recursive: true });
  const clusterId = await clusterIdOf(dir);
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  const heapMb = count === 1 ? 512 : 384;
  const nodes = numbers.map(
    (n) => new Node(n, { dir, jars, heapMb, quick, properties: propertiesOf(n, count, port, dir) }),
  );
  await Promise.all(nodes.map((node) => node.format(clusterId)));
  const addresses = numbers.map((n) => `${host}:${port + n - 1}`);
  return { nodes, addresses, started: Promise.all(nodes.map((node) => node.start(ended))) };
};

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Does what the parent asks over IPC. */
const obey = (nodes, ended) => async (order) => {
  const node = nodes[(order.kill ?? order.start) - 1];
  if (order.kill !== undefined) await node.kill();
  else await node.start(ended);
  process.send?.(order);
};

const folderFor = async (temporary, dir, nodes) => {
  if (dir !== undefined) return resolve(dir);
  return temporary ? mkdtemp(join(tmpdir(), 'kungfu-kafka-')) : join(cache, `data-${nodes}`);
};

const start = async ({ temporary, dir, port, nodes: count, parent }) => {
  const folder = await folderFor(temporary, dir, count);
  let nodes = [];
  let stopping = false;
  const finish = async (code, how) => {
    if (stopping && how === 'stop') how = 'kill'; // asked twice
    stopping = true;
    await Promise.all(nodes.map((node) => node[how]()));
    if (temporary) await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }); // a JVM takes a moment to die
    process.exit(code);
  };
  const gentle = temporary ? 'kill' : 'stop';
  const ended = (complaint) => {
    console.error(complaint.message);
    void finish(1, gentle);
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void finish(0, gentle));
  process.on('disconnect', () => void finish(0, 'kill'));
  if (parent !== undefined) setInterval(() => isAlive(parent) || stopping || void finish(0, 'kill'), 300);
  try {
    const cluster = await startCluster({ dir: folder, port, nodes: count, quick: temporary }, ended);
    nodes = cluster.nodes;
    await cluster.started;
    process.on('message', obey(nodes, ended));
    console.log(`ready ${cluster.addresses.join(',')}`);
    process.send?.({ ready: cluster.addresses });
  } catch (error) {
    if (stopping) return;
    console.error(error instanceof Complaint ? error.message : error);
    await finish(1, 'kill');
  }
};

const numberFrom = (name, text) => {
  if (!/^\d{1,7}$/.test(text)) throw new Complaint(`--${name} takes a number, not ${text}`);
  return Number(text);
};

const main = async () => {
  const text = { type: 'string' };
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { dir: text, temporary: { type: 'boolean' }, port: text, nodes: text, while: text },
  });
  const [command, ...rest] = positionals;
  if (command === 'fetch' && rest.length === 0) return void console.log(await fetchJars());
  if (command !== 'start' || rest.length > 0)
    throw new Complaint(
      'usage: kafka.mjs fetch | start [--dir DIR] [--temporary] [--port PORT] [--nodes 1|3] [--while PID]',
    );
  const nodes = numberFrom('nodes', values.nodes ?? '1');
  if (nodes !== 1 && nodes !== 3) throw new Complaint('--nodes takes 1 or 3');
  const parent = values.while === undefined ? undefined : numberFrom('while', values.while);
  await start({
    temporary: values.temporary === true,
    dir: values.dir,
    port: numberFrom('port', values.port ?? '9092'),
    nodes,
    parent,
  });
};

main().catch((error) => {
  console.error(error instanceof Complaint || error.code?.startsWith('ERR_PARSE_ARGS') ? error.message : error);
  process.exit(1);
});

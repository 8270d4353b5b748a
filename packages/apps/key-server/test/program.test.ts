import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { Secret } from '@nodecore/sys';
import { command, type CommandResult, temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { type Endpoint, parseEndpoint, seal, unseal } from '@nodecore/kms';
import { readRing } from '../src/index.ts';
import { authority, nodeIdentity, serverIdentity } from '../../../storage/kms/test/certificates.ts';

const bin = fileURLToPath(new URL('../bin/nodecore-kms.js', import.meta.url));
const nodeUuid = '0d5b0b5e-3a3b-4c6e-9a55-6f1f0a7c2d11';
const data = Secret.random(32);

function kms(...args: readonly string[]): Promise<CommandResult> {
  return command([process.execPath, bin, ...args]);
}

type Line = Readonly<Record<string, unknown>>;

/** The real program in a process of its own. Killed after the test. */
class Program {
  readonly #child: ChildProcess;
  readonly lines: Line[] = [];
  #wake = Promise.withResolvers<void>();
  #ended = false;

  constructor(t: ExecutionContext, args: readonly string[]) {
    this.#child = spawn(process.execPath, [bin, 'serve', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      this.lines.push(JSON.parse(line) as Line);
      this.#next();
    });
    this.#child.on('close', () => {
      this.#ended = true;
      this.#next();
    });
    t.teardown(() => this.end('SIGKILL'));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The first line that has these facts. */
  async line(facts: Line): Promise<Line> {
    for (;;) {
      const wake = this.#wake.promise;
      const line = this.lines.find((each) =>
        Object.entries(facts).every(([name, value]) => each[name] === value),
      );
      if (line !== undefined) return line;
      if (this.#ended)
        throw new Error(`ended without ${JSON.stringify(facts)}: ${JSON.stringify(this.lines)}`);
      await wake;
    }
  }

  /** As a collector of logs that ends. */
  deafen(): void {
    this.#child.stdout?.destroy();
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** @returns the exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (!this.#ended) {
      const closed = once(this.#child, 'close');
      this.#child.kill(signal);
      await closed;
    }
    return this.#child.exitCode;
  }

  #next(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }
}

async function withRing(t: ExecutionContext): Promise<{ directory: string; ring: string }> {
  const directory = await temporaryDirectory(t);
  const ring = join(directory, 'ring');
  const result = await kms('ring', 'init', '--ring', ring);
  t.is(result.code, 0, result.stderr);
  return { directory, ring };
}

async function endpointOf(program: Program, scheme = 'grpc'): Promise<Endpoint> {
  const { host, port } = await program.line({ msg: 'listening' });
  return parseEndpoint(`${scheme}://${String(host)}:${String(port)}`);
}

const local = ['--listen', '127.0.0.1:0', '--metrics', '127.0.0.1:0'];

test('the program serves, follows its ring, reopens its log and ends at SIGTERM', async (t) => {
  const { directory, ring } = await withRing(t);
  const audit = join(directory, 'audit.log');
  const args = [...local, '--plaintext', '--ring', ring, '--audit', audit, '--log-level', 'debug'];
  const program = new Program(t, args);
  const endpoint = await endpointOf(program);
  const blob = await seal(endpoint, { nodeUuid, data, volume: 'before' });
  const rotated = await kms('ring', 'rotate', '--ring', ring);
  const id = /key ([0-9a-f]{16}) seals/.exec(rotated.stdout)?.[1] ?? '';
  await program.line({ msg: 'another ring key is active', key: id });
  const after = await seal(endpoint, { nodeUuid, data });
  t.is(Buffer.from(after).toString('hex', 6, 14), id);
  using key = await unseal(endpoint, { nodeUuid, data: blob, volume: 'before' });
  t.true(key.equals(data));
  await rename(audit, `${audit}.1`);
  program.signal('SIGHUP');
  await program.line({ msg: 'read again', file: 'audit' });
  await seal(endpoint, { nodeUuid, data, volume: 'after' });
  t.regex(await readFile(audit, 'utf8'), /"volume":"after"/);
  t.is((await readFile(`${audit}.1`, 'utf8')).split('\n').length, 4);
  t.is(await program.end('SIGTERM'), 0);
  t.like(program.lines.at(-1), { msg: 'stopping', signal: 'SIGTERM' });
});

test('the program with certificates proves nodes, and writes its audit log to standard output', async (t) => {
  const { directory, ring } = await withRing(t);
  const ca = await authority();
  const { crt, key } = await serverIdentity(ca);
  const path = (name: string): string => join(directory, name);
  await writeFile(path('crt'), crt);
  await writeFile(path('key'), key.bytes);
  await writeFile(path('ca'), ca.crt);
  const files = ['--certificate', path('crt'), '--key', path('key'), '--client-ca', path('ca')];
  const program = new Program(t, [...local, '--ring', ring, ...files]);
  const endpoint = await endpointOf(program, 'grpcs');
  const identity = await nodeIdentity(ca, [`urn:uuid:${nodeUuid}`]);
  await seal(endpoint, { nodeUuid, data }, { roots: [ca.crt], identity });
  await program.line({ type: 'audit', operation: 'seal', outcome: 'ok', node: nodeUuid, subject: 'CN=node' });
  t.is(await program.end('SIGINT'), 0);
});

test('when nobody reads the audit log any more, keys are refused and the server lives on', async (t) => {
  const { ring } = await withRing(t);
  const program = new Program(t, [...local, '--plaintext', '--ring', ring]);
  const endpoint = await endpointOf(program);
  await seal(endpoint, { nodeUuid, data });
  program.deafen();
  const refused = { code: 'ERR_KMS_BUSY', message: /can not be recorded/ };
  await t.throwsAsync(seal(endpoint, { nodeUuid, data }), refused);
  await t.throwsAsync(seal(endpoint, { nodeUuid, data }), refused);
  t.is(await program.end('SIGTERM'), 0);
});

test('neither ring keys nor volume keys are in what the program says, its arguments or its environment', async (t) => {
  const { ring } = await withRing(t);
  const program = new Program(t, [...local, '--plaintext', '--ring', ring, '--log-level', 'debug']);
  const endpoint = await endpointOf(program);
  const blob = await seal(endpoint, { nodeUuid, data });
  (await unseal(endpoint, { nodeUuid, data: blob }))[Symbol.dispose]();
  await t.throwsAsync(unseal(endpoint, { nodeUuid, data: blob.toReversed() }));
  const proc = `/proc/${program.pid}`;
  const said = [await readFile(`${proc}/cmdline`, 'latin1'), await readFile(`${proc}/environ`, 'latin1')];
  await program.end('SIGTERM');
  const listed = (await kms('ring', 'list', '--ring', ring, '-o', 'json')).stdout;
  const text = [...said, JSON.stringify(program.lines), listed].join('\n');
  using keys = await readRing(ring);
  for (const secret of [data, keys.active.material])
    for (const encoding of ['hex', 'base64', 'latin1'] as const)
      t.false(text.includes(secret.bytes.toString(encoding).slice(0, 24)));
  t.true(text.includes(keys.active.id));
});

test('the ring goes through its life', async (t) => {
  const { ring } = await withRing(t);
  const list = async (): Promise<{ key: string; state: string }[]> =>
    JSON.parse((await kms('ring', 'list', '--ring', ring, '-o', 'json')).stdout) as {
      key: string;
      state: string;
    }[];
  const first = (await list())[0]?.key ?? '';
  t.is((await kms('ring', 'retire', first, '--ring', ring)).code, 1, 'it is active');
  t.is((await kms('ring', 'rotate', '--ring', ring)).code, 0);
  t.is(
    (await kms('ring', 'remove', first, '--lose-what-it-sealed', '--ring', ring)).code,
    1,
    'it is not retired',
  );
  t.is((await kms('ring', 'retire', first, '--ring', ring)).code, 0);
  t.deepEqual(
    (await list()).map(({ state }) => state),
    ['retired', 'active'],
  );
  t.is((await kms('ring', 'remove', first, '--ring', ring)).code, 2, 'nobody said that it may be lost');
  t.is((await kms('ring', 'remove', first, '--lose-what-it-sealed', '--ring', ring)).code, 0);
  t.deepEqual(
    (await list()).map(({ state }) => state),
    ['active'],
  );
  const table = (await kms('ring', 'list', '--ring', ring)).stdout;
  t.regex(table, /^KEY {15}STATE {5}CREATED\n[0-9a-f]{16} {2}active {4}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/);
  t.is((await stat(ring)).mode & 0o777, 0o600);
});

const wrong: readonly (readonly [string, number, RegExp, ...string[]])[] = [
  ['no command', 2, /Usage/],
  ['an unknown command', 2, /unknown command/, 'server'],
  ['an unknown flag', 2, /unknown option/, 'serve', '--port', '1'],
  ['a listener that is none', 2, /address:port/, 'serve', '--listen', 'localhost:1'],
  ['a rate that is none', 2, /burst,per-second/, 'serve', '--rate-node', '0,1'],
  ['no certificate', 1, /--certificate and --key/, 'serve'],
  ['a certificate without its clients', 1, /--client-ca/, 'serve', '--certificate', 'a', '--key', 'b'],
  ['certificates in plaintext', 1, /has no certificates/, 'serve', '--plaintext', '--key', 'b'],
  ['a ring that is not there', 1, /ring init/, 'ring', 'list', '--ring', '/nonexistent/ring'],
  ['a key that is none', 1, /16 hexadecimal/, 'ring', 'retire', 'x'],
];

for (const [what, code, words, ...args] of wrong) {
  test(`${what}: exit code ${code}, and it says what is wrong`, async (t) => {
    const { ring } = await withRing(t);
    const result = await kms(
      ...args,
      ...(args[0] === 'ring' && args[1] === 'retire' ? ['--ring', ring] : []),
    );
    t.is(result.code, code, result.stderr);
    t.regex(result.stderr, words);
    t.false(result.stderr.includes('    at '), 'no stack trace');
    t.is(result.stdout, '');
  });
}

test('plaintext beyond loopback is refused', async (t) => {
  const { ring } = await withRing(t);
  const result = await kms('serve', '--plaintext', '--ring', ring);
  t.is(result.code, 1);
  t.regex(result.stderr, /0\.0\.0\.0:4050 would show every key/);
});

test('a ring that others may read is refused', async (t) => {
  const { ring } = await withRing(t);
  await chmod(ring, 0o644);
  const result = await kms('serve', '--plaintext', ...local, '--ring', ring);
  t.is(result.code, 1);
  t.regex(result.stderr, /chmod 600/);
});

test('every option is in the help', async (t) => {
  const { stdout, code } = await kms('serve', '--help');
  t.is(code, 0);
  for (const option of [
    '--listen',
    '--ring',
    '--certificate',
    '--key',
    '--client-ca',
    '--any-client',
    '--plaintext',
    '--nodes',
    '--audit',
    '--metrics',
    '--no-metrics',
    '--rate-node',
    '--rate-peer',
    '--log-level',
  ])
    t.true(stdout.includes(option), option);
  t.is((await kms('--help')).code, 0);
});

test('a second init does not touch the ring', async (t) => {
  const { ring, directory } = await withRing(t);
  const before = await readFile(ring);
  t.is((await kms('ring', 'init', '--ring', ring)).code, 1);
  t.deepEqual(await readFile(ring), before);
  await mkdir(join(directory, 'd'));
  t.is((await kms('ring', 'init', '--ring', join(directory, 'd'))).code, 1);
});

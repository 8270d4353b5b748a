import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Client } from '@nodecore/api';
import { command } from '@nodecore/testkit';
import anyTest, { type ExecutionContext, type TestFn } from 'ava';
import { parse } from 'yaml';

import { Machine, type MachineSpec } from '../src/index.ts';
import { administrator, nodeSecrets, type NodeSecrets } from '../src/node/credentials.ts';
import { freePort, install, NodeAgent, nodeSpec, volumesAre, volumesReady } from './agent-node.ts';
import type { Finding, Search } from './inside/find-secrets.ts';
import { type OsctlResult, osctlWith } from './osctl.ts';
import { findSecrets } from './secret-forms.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const passphrase = 'a passphrase that a test has planted';
const volumes = ['STATE', 'EPHEMERAL', 'u-data', 'u-safe'];
const name = 'virtual-node';

type Node = {
  readonly machine: Machine;
  readonly port: number;
  readonly directory: string;
  readonly secrets: NodeSecrets;
  readonly osctl: (...argv: readonly string[]) => Promise<OsctlResult>;
  agent?: NodeAgent;
  /** Of `u-safe`, as osctl printed it, and where it is. */
  recovery?: Recovery;
  hasFailed: boolean;
};

type Recovery = { readonly key: string; readonly slot: number };

/** Tests see copies of the context: what they share is one object in it. */
const test = anyTest as TestFn<{ readonly node: Node }>;
type Context = ExecutionContext<{ readonly node: Node }>;

/** What a process keeps on purpose, to show that the search below finds what is there. */
const control = `control ${randomBytes(12).toString('hex')}`;
const kept = '/run/kept';
const heaps = '/tmp/heaps';

function spec(port: number): MachineSpec {
  const uuid = 'e6a1b7c8-2d3e-4f50-8a6b-7c8d9e0f1a2b';
  return { ...nodeSpec({ name: 'node-keys', uuid, port }), tpm: 'crb' };
}

/** Everything that is started is traced, the log is as talkative as it can be, and a signal writes the heap to a file. */
const observed = {
  wrapper: [
    'strace -f --seccomp-bpf -qq -e trace=execve -v -s 65536 -o /tmp/started'.split(' '),
    ['sh', '-c', 'echo $$ > /run/agent.pid; exec "$@"', 'sh'],
  ].flat(),
  flags: ['--log-level=trace'],
  env: {
    KEPT_SECRET: kept,
    NODE_OPTIONS: `--require=${fixture('keep-a-string.cjs')} --heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${heaps}`,
  },
};

test.before(async (t) => {
  const port = await freePort();
  const machine = await Machine.boot(spec(port));
  const { directory } = machine;
  const secrets = await nodeSecrets(name, directory, port);
  const osctl = osctlWith(secrets.osconfig);
  const node: Node = { machine, port, directory, secrets, osctl, hasFailed: false };
  Object.assign(t.context, { node });
  await install(machine);
  await run(machine, ['sh', '-c', `mkdir ${heaps} && printf %s "$1" > ${kept}`, 'sh', control]);
  node.agent = await NodeAgent.start(machine, port, observed);
});

// Each goes on where the one before ended.
test.beforeEach((t) => {
  if (t.context.node.hasFailed) throw new Error('a test before has failed');
});

test.afterEach.always((t) => {
  const { node } = t.context;
  if (t.passed) return;
  if (!node.hasFailed) t.log(node.agent?.lines.slice(-40).join('\n'));
  node.hasFailed = true;
});

test.after.always(async (t) => {
  await t.context.node.machine.close();
});

/** Runs a program in the machine that must succeed. */
async function run(machine: Machine, argv: readonly [string, ...string[]], input?: string): Promise<Buffer> {
  const options = input === undefined ? {} : { input: Buffer.from(input) };
  const { code, stdout, stderr } = await machine.run(argv, options);
  if (code !== 0) throw new Error(`${argv.join(' ')}: ${code}: ${stderr.toString()}`);
  return stdout;
}

/** Runs osctl, which must succeed. */
async function ok(t: Context, ...argv: readonly string[]): Promise<OsctlResult> {
  const result = await t.context.node.osctl(...argv);
  t.is(result.code, 0, `osctl ${argv.join(' ')}: ${result.stderr}`);
  return result;
}

function recoveryOf({ context }: Context): Recovery {
  if (context.node.recovery === undefined) throw new TypeError('no recovery key was made');
  return context.node.recovery;
}

async function admin(t: Context): Promise<Client> {
  return await administrator(name, t.context.node.secrets, t.context.node.port);
}

/** The configuration of the node in one file, with the keys of `u-safe` as they are given. */
async function documents(t: Context, more = ''): Promise<string> {
  const { secrets, directory } = t.context.node;
  const texts = await Promise.all(
    [secrets.controlplane, fixture('keys-node.yaml')].map((file) => readFile(file, 'utf8')),
  );
  const file = join(directory, 'node.yaml');
  await writeFile(file, `${texts.join('\n---\n')}${more}`, { mode: 0o600 });
  return file;
}

/** Where a volume lies in the machine. */
async function device(t: Context, id: string): Promise<string> {
  return (await ok(t, 'get', 'volumestatus', id, '-o', 'jsonpath={.spec.location}')).stdout.trim();
}

test.serial('osctl brings the configuration, and shows which key is in use and which is not', async (t) => {
  const { agent, port } = t.context.node;
  const insecure = ['-i', '--cert-fingerprint', agent?.fingerprint ?? '', '-n', `127.0.0.1:${port}`];
  await ok(t, 'apply-config', ...insecure, '-f', await documents(t));
  using client = await admin(t);
  await volumesReady(client, volumes);
  await volumesAre(client, (states) => (states.get('u-data')?.encryptionFailedSyncs?.length ?? 0) > 0);
  const { stdout } = await ok(t, 'get', 'volumestatus', 'u-data', '-o', 'yaml');
  const { spec } = parse(stdout) as { spec: Record<string, unknown> };
  t.like(spec, { phase: 'ready', encryptionSlot: 0, configuredEncryptionKeys: ['kms', 'static', 'tpm'] });
  t.like((spec['encryptionFailedSyncs'] as object[])[0], {
    slot: 2,
    kind: 'kms',
    code: 'ERR_KMS_UNREACHABLE',
  });
});

/** What the key of a keyslot is recovered from, as cryptsetup prints it. */
async function tokenOf(t: Context, id: string, slot: number): Promise<string> {
  const dump = ['cryptsetup', 'luksDump', '--dump-json-metadata', await device(t, id)] as const;
  const json = (await run(t.context.node.machine, dump)).toString();
  const { tokens } = JSON.parse(json) as { tokens: Record<string, { keyslots: string[] }> };
  return JSON.stringify(Object.values(tokens).find(({ keyslots }) => keyslots.includes(`${slot}`)));
}

test.serial('rotate-keys says what it would do, does it, and says what it can not do', async (t) => {
  const rotate = ['volume', 'rotate-keys', 'u-data', '-o', 'json'] as const;
  const planned = await ok(t, ...rotate, '--slot', '0,1', '--dry-run');
  type Row = { slot: number; kind: string; state: string };
  const rows = ({ stdout }: OsctlResult): unknown[] =>
    (JSON.parse(stdout) as Row[]).map(({ slot, kind, state }) => [slot, kind, state]);
  t.deepEqual(rows(planned)[0], [0, 'tpm', 'planned']);
  const token = (): Promise<string> => tokenOf(t, 'u-data', 0);
  const before = await token();
  const done = await t.context.node.osctl(...rotate);
  t.not(done.code, 0, 'the key server is not there');
  t.deepEqual(rows(done)[0], [0, 'tpm', 'done']);
  t.deepEqual(rows(done).at(-1), [2, 'kms', 'failed']);
  t.not(await token(), before);
});

test.serial('a recovery key is printed once, and cryptsetup opens the volume with it', async (t) => {
  const { stdout, stderr } = await ok(t, 'volume', 'recovery-key', 'u-safe', '--yes');
  const slot = Number(/in slot (\d+)/.exec(stderr)?.[1]);
  t.regex(stdout, /^([cbdefghijklnrtuv]{8}-){7}[cbdefghijklnrtuv]{8}\n$/);
  const key = stdout.trim();
  t.context.node.recovery = { key, slot };
  const open = ['cryptsetup', 'open', '--test-passphrase', '--key-slot', `${slot}`] as const;
  await run(t.context.node.machine, [...open, await device(t, 'u-safe')], key);
});

test.serial('a header is saved for its owner only, and put back where both copies are gone', async (t) => {
  const { machine, directory } = t.context.node;
  const backup = join(directory, 'u-safe.header');
  await ok(t, 'volume', 'header-backup', 'u-safe', '-o', backup);
  t.is((await stat(backup)).mode & 0o777, 0o600);
  t.regex((await command(['cryptsetup', 'luksDump', backup])).stdout, /systemd-recovery/);

  const damaged = await device(t, 'u-safe');
  await run(machine, ['dd', 'if=/dev/zero', `of=${damaged}`, 'bs=64K', 'count=1', 'conv=fsync']);
  t.not((await machine.run(['cryptsetup', 'isLuks', damaged])).code, 0);
  await ok(t, 'volume', 'header-restore', 'u-safe', backup, '--yes');
  const { key, slot } = recoveryOf(t);
  await run(machine, ['cryptsetup', 'open', '--test-passphrase', '--key-slot', `${slot}`, damaged], key);
});

const base64 = (bytes: string | Uint8Array): string => Buffer.from(bytes as Uint8Array).toString('base64');

/** Key bytes of the node, as nobody may find them. */
async function nodeKeys(t: Context): Promise<Search['planted']> {
  const { machine } = t.context.node;
  const recovery = recoveryOf(t);
  const data = await device(t, 'u-data');
  const dump =
    'cryptsetup luksDump --batch-mode --dump-volume-key --key-file - --volume-key-file /dev/shm/key "$1" >&2';
  const volumeKey = await run(
    machine,
    ['sh', '-ec', `${dump}; cat /dev/shm/key; rm /dev/shm/key`, 'sh', data],
    passphrase,
  );
  const salt = parse((await run(machine, ['cat', '/system/state/encryption-salt.yaml'])).toString()) as {
    diskSalt: number[];
  };
  return [
    { name: 'passphrase', base64: base64(passphrase) },
    { name: 'recovery key', base64: base64(recovery.key) },
    { name: 'volume key', base64: base64(volumeKey) },
    { name: 'half of the volume key', base64: base64(volumeKey.subarray(0, volumeKey.length / 2)) },
    { name: 'salt', base64: base64(Buffer.from(salt.diskSalt)) },
    { name: 'control', base64: base64(control) },
  ];
}

test.serial(
  'no key is in the heap after unlock, in a log, or in what any process was started with',
  async (t) => {
    const { machine, agent } = t.context.node;
    const planted = await nodeKeys(t);
    await run(machine, ['sh', '-c', 'kill -USR2 "$(cat /run/agent.pid)"']);
    using client = await admin(t);
    await client.version({ timeoutMs: 120_000 }); // nobody answers while the heap is written
    const search: Search = { planted, files: [`${heaps}/*`, '/tmp/started'] };
    const argv = ['node', '--conditions=source', 'hw-tests/test/inside/find-secrets.ts'] as const;
    const findings = JSON.parse((await run(machine, argv, JSON.stringify(search))).toString()) as Finding[];
    const heap = findings.filter(({ path }) => path.startsWith(heaps));
    t.is(heap.length, 1);
    // What was kept on purpose is found, in the heap and there alone.
    t.deepEqual(heap[0]?.found, ['control as raw', 'control as utf8 of latin1', 'control as JSON string']);
    t.deepEqual(
      findings.filter(({ path, found }) => !path.startsWith(heaps) && found.length > 0),
      [],
    );
    t.true(findings.length > 20, 'every process was looked at');
    const log = (agent?.lines ?? []).join('\n');
    const secrets = planted.map(({ name: of, base64 }) => ({
      name: of,
      bytes: Buffer.from(base64, 'base64'),
    }));
    t.deepEqual(findSecrets(Buffer.from(log), secrets), []);
    t.regex(log, /keys synchronised/);
  },
);

test.serial('another TPM: the volume with a second key opens, and its key is sealed anew', async (t) => {
  const { machine, port } = t.context.node;
  t.is(await t.context.node.agent?.stop(), 0);
  await machine.powerOff();
  await machine.boot({ newTpm: true });
  t.context.node.agent = await NodeAgent.start(machine, port);
  using client = await admin(t);
  const states = await volumesAre(
    client,
    (now) =>
      now.get('u-safe')?.errorCode === 'ERR_VOLUME_KEYS' &&
      now.get('u-data')?.phase === 'ready' &&
      now.get('u-data')?.encryptionFailedSyncs?.every(({ slot }) => slot === 2) === true,
  );
  t.is(states.get('u-data')?.encryptionSlot, 1);
  t.deepEqual(
    states.get('u-safe')?.encryptionFailedKeys?.map(({ slot, code }) => [slot, code]),
    [[0, 'ERR_TPM_DIFFERENT']],
  );
});

test.serial('the recovery key in the document opens the other one, as the guide says', async (t) => {
  const { key, slot } = recoveryOf(t);
  const file = await documents(t, `    - {slot: ${slot}, static: {passphrase: ${key}}}\n`);
  await ok(t, 'apply-config', '-f', file);
  using client = await admin(t);
  const synced = await volumesAre(
    client,
    (now) => now.get('u-safe')?.phase === 'ready' && now.get('u-safe')?.encryptionFailedSyncs?.length === 0,
  );
  t.is(synced.get('u-safe')?.encryptionSlot, slot);
  const { stdout } = await ok(t, 'volume', 'rotate-keys', 'u-safe', '--dry-run');
  t.regex(stdout, /u-safe +0 +tpm +planned/);

  // The passphrase goes out of the document again, and its keyslot stays.
  await ok(t, 'apply-config', '-f', await documents(t));
  await volumesReady(client, ['u-safe']);
  await ok(t, 'volume', 'rotate-keys', 'u-safe');
  const open = ['cryptsetup', 'open', '--test-passphrase', '--key-slot', `${slot}`] as const;
  await run(t.context.node.machine, [...open, await device(t, 'u-safe')], key);
});

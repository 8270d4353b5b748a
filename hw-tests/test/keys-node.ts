import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Client } from '@nodecore/api';
import type { ExecutionContext } from 'ava';
import { parse } from 'yaml';

import { RigMachine, type RigSpec } from '../src/index.ts';
import { administrator, nodeSecrets, type NodeSecrets } from '../src/node/credentials.ts';
import { freePort, install, NodeAgent, nodeSpec, volumesAre } from './agent-node.ts';
import type { Search } from './inside/find-secrets.ts';
import { type OsctlResult, osctlWith } from './osctl.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const passphrase = 'a passphrase that a test has planted';
const name = 'virtual-node';

export type KeysNode = {
  readonly machine: RigMachine;
  readonly port: number;
  readonly directory: string;
  readonly secrets: NodeSecrets;
  readonly osctl: (...argv: readonly string[]) => Promise<OsctlResult>;
  agent: NodeAgent;
  /** Recovery keys by volume, as osctl printed them, and where they are. */
  readonly recovery: Map<string, Recovery>;
  hasFailed: boolean;
};

export type Recovery = { readonly key: string; readonly slot: number };

/** Tests see copies of the context: what they share is one object in it. */
export type Shared = { readonly node: KeysNode };
type Context = ExecutionContext<Shared>;

/** What a process keeps on purpose, to show that the search below finds what is there. */
const control = `control ${randomBytes(12).toString('hex')}`;
const kept = '/run/kept';
/** Where the agent writes its heap. */
export const heaps = '/tmp/heaps';

/** Of the machine. */
export const uuid = 'e6a1b7c8-2d3e-4f50-8a6b-7c8d9e0f1a2b';

function spec(port: number): RigSpec {
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

/** Boots a blank machine and starts the agent in it; `node.agent` is in maintenance. */
export async function startKeysNode(): Promise<KeysNode> {
  const port = await freePort();
  const machine = await RigMachine.boot(spec(port));
  try {
    const { directory } = machine;
    const secrets = await nodeSecrets(name, directory, port);
    const osctl = osctlWith(secrets.osconfig);
    await install(machine);
    await run(machine, ['sh', '-c', `mkdir ${heaps} && printf %s "$1" > ${kept}`, 'sh', control]);
    const agent = await NodeAgent.start(machine, port, observed);
    return { machine, port, directory, secrets, osctl, agent, recovery: new Map(), hasFailed: false };
  } catch (error) {
    await machine.close();
    throw error;
  }
}

/** Runs a program in the machine that must succeed. */
export async function run(
  machine: RigMachine,
  argv: readonly [string, ...string[]],
  input?: string,
): Promise<Buffer> {
  const options = input === undefined ? {} : { input: Buffer.from(input) };
  const { code, stdout, stderr } = await machine.run(argv, options);
  if (code !== 0) throw new Error(`${argv.join(' ')}: ${code}: ${stderr.toString()}`);
  return stdout;
}

/** Runs osctl, which must succeed. */
export async function ok(t: Context, ...argv: readonly string[]): Promise<OsctlResult> {
  const result = await t.context.node.osctl(...argv);
  t.is(result.code, 0, `osctl ${argv.join(' ')}: ${result.stderr}`);
  return result;
}

export function recoveryOf({ context }: Context, volume: string): Recovery {
  const made = context.node.recovery.get(volume);
  if (made === undefined) throw new TypeError(`no recovery key was made for ${volume}`);
  return made;
}

/** A client of the node as its administrator. */
export async function admin(t: Context): Promise<Client> {
  return await administrator(name, t.context.node.secrets, t.context.node.port);
}

/** The configuration of the node in one file, with the keys of `u-safe` as they are given. */
export async function documents(t: Context, more = ''): Promise<string> {
  const { secrets, directory } = t.context.node;
  const texts = await Promise.all(
    [secrets.controlplane, fixture('keys-node.yaml')].map((file) => readFile(file, 'utf8')),
  );
  const file = join(directory, 'node.yaml');
  await writeFile(file, `${texts.join('\n---\n')}${more}`, { mode: 0o600 });
  return file;
}

/** Where a volume lies in the machine. */
export async function device(t: Context, id: string): Promise<string> {
  using client = await admin(t);
  const states = await volumesAre(client, (now) => now.get(id)?.location !== undefined);
  return states.get(id)?.location ?? '';
}

/** What the key of a keyslot is recovered from, as cryptsetup prints it. */
export async function tokenOf(t: Context, id: string, slot: number): Promise<string> {
  const dump = ['cryptsetup', 'luksDump', '--dump-json-metadata', await device(t, id)] as const;
  const json = (await run(t.context.node.machine, dump)).toString();
  const { tokens } = JSON.parse(json) as { tokens: Record<string, { keyslots: string[] }> };
  return JSON.stringify(Object.values(tokens).find(({ keyslots }) => keyslots.includes(`${slot}`)));
}

/** Has cryptsetup, which knows nothing of us, try a passphrase on a keyslot. */
export async function cryptsetupOpens(
  { context }: Context,
  volume: string,
  { key, slot }: Recovery,
): Promise<void> {
  const open = ['cryptsetup', 'open', '--test-passphrase', '--key-file', '-', '--key-slot'] as const;
  await run(context.node.machine, [...open, `${slot}`, volume], key);
}

const base64 = (bytes: string | Uint8Array): string => Buffer.from(bytes as Uint8Array).toString('base64');

/** Key bytes of the node, as nobody may find them. */
export async function nodeKeys(t: Context): Promise<Search['planted']> {
  const { machine } = t.context.node;
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
    { name: 'recovery key', base64: base64(recoveryOf(t, 'u-safe').key) },
    { name: 'volume key', base64: base64(volumeKey) },
    { name: 'half of the volume key', base64: base64(volumeKey.subarray(0, volumeKey.length / 2)) },
    { name: 'salt', base64: base64(Buffer.from(salt.diskSalt)) },
    { name: 'control', base64: base64(control) },
  ];
}

import { systemClock } from '@nodecore/waiting';
import { type Command, Option } from 'commander';

import { KeyRing, type RingKey } from '../ring/key-ring.ts';
import { changeRing, createRing, readRing } from '../ring/ring-file.ts';
import { KeyServerError } from '../errors.ts';
import { ringOption } from './options.ts';

type RingOptions = { readonly ring: string };

/** `ring`: the keys that seal. A running server sees a change by itself. */
export function configureRing(command: Command): void {
  command.description('makes and changes the key ring; a running server follows');
  command
    .command('init')
    .description('writes a new ring with one key; back it up, without it nothing it sealed can be opened')
    .addOption(ringOption())
    .action(init);
  command
    .command('rotate')
    .description('adds a key that seals from now on; the others go on unsealing')
    .addOption(ringOption())
    .action(rotate);
  command
    .command('list')
    .description('shows the keys without their bytes')
    .addOption(ringOption())
    .addOption(new Option('-o, --output <format>', 'how').choices(['table', 'json']).default('table'))
    .action(list);
  command
    .command('retire')
    .description('marks a key as on its way out: it still unseals, and the audit log names who needs it')
    .argument('<key>', 'id of the key')
    .addOption(ringOption())
    .action(retire);
  command
    .command('remove')
    .description('removes a retired key; what it sealed can never be unsealed again')
    .argument('<key>', 'id of the key')
    .addOption(ringOption())
    .requiredOption('--lose-what-it-sealed', 'says that you know')
    .action(remove);
}

async function init({ ring: path }: RingOptions): Promise<void> {
  using ring = KeyRing.create(systemClock.now());
  await createRing(path, ring);
  print(`${path}: key ${ring.active.id} seals`);
}

async function rotate({ ring: path }: RingOptions): Promise<void> {
  const id = await changeRing(path, (ring) => ring.rotate(systemClock.now()).id);
  print(`${path}: key ${id} seals from now on`);
}

async function retire(id: string, { ring: path }: RingOptions): Promise<void> {
  await changeRing(path, (ring) => ring.retire(checkedId(id)));
  print(`${path}: key ${id} is retired; remove it when the audit log no longer names it`);
}

async function remove(id: string, { ring: path }: RingOptions): Promise<void> {
  await changeRing(path, (ring) => ring.remove(checkedId(id)));
  print(`${path}: key ${id} is gone`);
}

async function list({ ring: path, output }: RingOptions & { readonly output: string }): Promise<void> {
  using ring = await readRing(path);
  const rows = ring.keys.map(shown);
  if (output === 'json') {
    print(JSON.stringify(rows, undefined, 2));
    return;
  }
  print(`${'KEY'.padEnd(18)}${'STATE'.padEnd(10)}CREATED`);
  for (const { key, state, created } of rows) print(`${key.padEnd(18)}${state.padEnd(10)}${created}`);
}

function shown({ id, state, createdSeconds }: RingKey): { key: string; state: string; created: string } {
  return { key: id, state, created: `${new Date(createdSeconds * 1000).toISOString().slice(0, 19)}Z` };
}

function checkedId(id: string): string {
  if (/^[0-9a-f]{16}$/.test(id)) return id;
  throw new KeyServerError('ERR_KMS_RING_KEY', 'the id of a key has 16 hexadecimal digits');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

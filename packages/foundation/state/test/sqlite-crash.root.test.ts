import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { program, temporaryDirectory, testWith } from '@nodecore/testkit';

import type { Kind, Resource } from '../src/index.ts';
import { type SqliteState, sqliteState } from '../src/sqlite/index.ts';
import { type Call, recordWrites } from './recorded-writes.ts';

const kind: Kind = { namespace: 'default', type: 'Groups.test.nodecore.dev' };
const script = fileURLToPath(new URL('write-groups.ts', import.meta.url));

/** The files as a kernel has them after some calls. */
type Files = Map<string, Buffer>;

function apply(files: Files, call: Call, part = 1): void {
  if (call.call === 'said' || call.call === 'sync') return;
  const before = files.get(call.file) ?? Buffer.alloc(0);
  if (call.call === 'unlink') files.delete(call.file);
  else if (call.call === 'truncate') {
    const after = Buffer.alloc(call.sizeBytes);
    before.copy(after);
    files.set(call.file, after);
  } else {
    const bytes = call.bytes.subarray(0, Math.floor(call.bytes.length * part));
    const after = Buffer.alloc(Math.max(before.length, call.offset + bytes.length));
    before.copy(after);
    bytes.copy(after, call.offset);
    files.set(call.file, after);
  }
}

/**
 * Every state in which the files are left by a kill: after each call, and within each write. With them what was said by
 * then. After the first acknowledgement also what a power cut leaves of the newest files: what was synced alone.
 */
function* kills(calls: readonly Call[]): Generator<[string, Files, readonly string[]]> {
  const files: Files = new Map();
  const synced: Files = new Map();
  const said: string[] = [];
  for (const [index, call] of calls.entries()) {
    const name = `call ${index}, ${call.call}`;
    if (call.call === 'write') {
      const half = new Map(files);
      apply(half, call, 0.5);
      yield [`within ${name}`, half, [...said]];
    }
    apply(files, call);
    if (call.call === 'said') said.push(...call.text.trim().split('\n'));
    if (call.call === 'sync') synced.set(call.file, files.get(call.file) ?? Buffer.alloc(0));
    yield [name, new Map(files), [...said]];
    const isKept = call.call === 'sync' || call.call === 'said';
    if (said.length > 0 && isKept) yield [`power cut after ${name}`, new Map(synced), [...said]];
  }
}

const spec = (resource: Resource | undefined): number => Number(resource?.spec ?? -1);

/** What is wrong with a state that was opened again; undefined when nothing is. */
async function flaw(state: SqliteState, said: readonly string[]): Promise<string | undefined> {
  const { resources, revision } = await state.list(kind);
  const byName = new Map(resources.map((resource) => [resource.metadata.id, resource]));
  for (const group of [0, 1, 2]) {
    const rounds = ['a', 'b', 'c'].map((part) => spec(byName.get(`${group}${part}`)));
    if (new Set(rounds).size > 1) return `group ${group} is half there: ${rounds.join(' ')}`;
    const acknowledged = said.filter((line) => line.startsWith(`ack ${group} `)).length - 1;
    if (Math.min(...rounds) < acknowledged)
      return `group ${group} has ${rounds[0]}, and ${acknowledged} was acknowledged`;
  }
  if (revision === 0) return undefined;
  // The last commit is in the log as it is in the tables.
  const watch = state.watch({ kind, from: revision - 1 });
  const { value: batch } = await watch.next();
  if (batch === undefined) return 'no batch';
  await watch.return();
  for (const event of batch) {
    if (event.type === 'bootstrapped') return 'a marker';
    const { id, version } = event.resource.metadata;
    if (byName.get(id)?.metadata.version !== version) return `the log has another version of ${id}`;
  }
  return batch.length === 3 ? undefined : `the log has ${batch.length} of 3 changes`;
}

testWith(program('strace'))(
  'killed in any write, all that was acknowledged is there and nothing is there in halves',
  async (t) => {
    const directory = await temporaryDirectory(t);
    const path = join(directory, 'state.db');
    const paths = [path, `${path}-wal`, `${path}-journal`];
    const command = [process.execPath, '--conditions=source', script, path, '3'];
    const calls = await recordWrites(paths, join(directory, 'calls'), command);
    t.is(calls.filter(({ call }) => call === 'said').length, 9);
    t.true(calls.filter(({ call }) => call === 'write').length > 30);
    let tried = 0;
    for (const [name, files, said] of kills(calls)) {
      tried += 1;
      await Promise.all([...paths, `${path}-shm`].map(async (file) => await rm(file, { force: true })));
      for (const [file, bytes] of files) await writeFile(join(directory, basename(file)), bytes);
      const state = await sqliteState(path);
      const wrong = await flaw(state, said);
      await state[Symbol.asyncDispose]();
      if (wrong !== undefined) t.fail(`${name}: ${wrong}`);
    }
    t.log(`${tried} moments`);
  },
);

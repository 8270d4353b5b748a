import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { program, temporaryDirectory, testWith } from '@nodecore/testkit';

import type { Kind, Resource } from '../src/index.ts';
import { type SqliteState, sqliteState } from '../src/sqlite/index.ts';
import { filesOf, kills, putFiles } from './kills.ts';
import { openHere } from './open-here.ts';
import { recordWrites } from './recorded-writes.ts';

const kind: Kind = { namespace: 'default', type: 'Groups.test.nodecore.dev' };
const script = fileURLToPath(new URL('write-groups.ts', import.meta.url));

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

async function flawAfter(path: string): Promise<string | undefined> {
  await using state = await sqliteState(path);
  const said = [0, 1, 2].flatMap((group) => [0, 1, 2].map((round) => `ack ${group} ${round}`));
  return await flaw(state, said);
}

testWith(program('strace'))(
  'killed in any write, all that was acknowledged is there and nothing is there in halves',
  async (t) => {
    const directory = await temporaryDirectory(t);
    const path = join(directory, 'state.db');
    const command = [process.execPath, '--conditions=source', script, path, '3'];
    const calls = await recordWrites(filesOf(path), join(directory, 'calls'), command);
    t.is(calls.filter(({ call }) => call === 'said').length, 9);
    t.true(calls.filter(({ call }) => call === 'write').length > 30);
    t.is(await flawAfter(path), undefined); // as it is opened by everybody, at the end
    let tried = 0;
    for (const [name, files, said] of kills(calls)) {
      tried += 1;
      await putFiles(path, files);
      const state = openHere(path);
      const wrong = await flaw(state, said);
      await state[Symbol.asyncDispose]();
      if (wrong !== undefined) t.fail(`${name}: ${wrong}`);
    }
    t.log(`${tried} moments`);
  },
);

// Writes groups of three resources, and says on standard output which groups were acknowledged. It runs in a process of
// its own, so that a test can see every write of it.
import { writeSync } from 'node:fs';

import type { Operation } from '../src/index.ts';
import { sqliteState } from '../src/sqlite/index.ts';

const [path = '', rounds = '1'] = process.argv.slice(2);
const state = await sqliteState(path, { maxLogRows: 20 });
const write = async (group: number, round: number): Promise<void> => {
  const operations = ['a', 'b', 'c'].map((part): Operation => {
    const key = { namespace: 'default', type: 'Groups.test.nodecore.dev', id: `${group}${part}` };
    return round === 0
      ? { op: 'create', key, spec: round }
      : { op: 'update', key, spec: round, version: round };
  });
  await state.transaction(operations);
  writeSync(1, `ack ${group} ${round}\n`);
};
for (let round = 0; round < Number(rounds); round += 1) {
  await Promise.all([0, 1, 2].map((group) => write(group, round)));
}
await state[Symbol.asyncDispose]();

// Writes one resource on a disk that takes long for each sync, and says how many turns the event loop had meanwhile.
import { setImmediate as turn } from 'node:timers/promises';

import { sqliteState } from '../src/sqlite/index.ts';

const [path = ''] = process.argv.slice(2);
const state = await sqliteState(path);
const ended = new AbortController();
const writing = state.create({ namespace: 'default', type: 'Things.test.nodecore.dev', id: 'a' }, 1);
void writing.finally(() => ended.abort());
let turns = 0;
for (; !ended.signal.aborted; turns += 1) await turn();
await writing;
console.log(turns);
await state[Symbol.asyncDispose]();

// Has a state until it is killed.
import { sqliteState } from '../src/sqlite/index.ts';

const state = await sqliteState(process.argv[2] ?? '');
await state.create({ namespace: 'default', type: 'Things.test.nodecore.dev', id: 'a' }, 1);
process.stdout.write('has it\n');
setInterval(() => {}, 60_000);

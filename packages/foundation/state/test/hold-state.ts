// Has a state until it is killed, also when nothing refers to it any more: the collector has run.
import { sqliteState } from '../src/sqlite/index.ts';

await openAndForget();
await new Promise((done) => setImmediate(done));
(globalThis as { gc?: () => void }).gc?.();
await new Promise((done) => setImmediate(done));
process.stdout.write('has it\n');
setInterval(() => {}, 60_000);

async function openAndForget(): Promise<void> {
  const state = await sqliteState(process.argv[2] ?? '');
  await state.create({ namespace: 'default', type: 'Things.test.nodecore.dev', id: 'a' }, 1);
}

import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { type Kind, StateError } from '../src/index.ts';
import { sqliteState, type SqliteState } from '../src/sqlite/index.ts';

const kind: Kind = { namespace: 'default', type: 'Things.test.nodecore.dev' };
const unknown = { instanceOf: StateError, code: 'ERR_STATE_UNKNOWN' };

type Opened = { readonly state: SqliteState; readonly thread: Worker };

/** A state, and the thread that writes its file. */
async function open(t: ExecutionContext, path: string): Promise<Opened> {
  const { promise, resolve } = Promise.withResolvers<Worker>();
  process.once('worker', resolve);
  const state = await sqliteState(path);
  t.teardown(() => state[Symbol.asyncDispose]());
  return { state, thread: await promise };
}

type Loss = readonly [title: string, lose: (thread: Worker) => void, message: RegExp, isWritten: boolean];

const losses: readonly Loss[] = [
  [
    'that throws before it has written anything',
    (thread) => {
      const send = thread.postMessage.bind(thread);
      thread.postMessage = () => send(null); // no message of ours: it throws there
    },
    /the thread that writes has ended \(.+\); what was on its way may have been written/u,
    false,
  ],
  [
    'that ends before it has written anything',
    (thread) => {
      thread.postMessage = () => void thread.terminate();
    },
    /the thread that writes has ended; what was on its way/u,
    false,
  ],
  [
    'that ends when the disk has it and the answer is on its way',
    (thread) => {
      const emit = thread.emit.bind(thread);
      thread.emit = (event: string | symbol, ...values: unknown[]): boolean => {
        if (event !== 'message') return emit(event as 'exit', ...(values as [number]));
        void thread.terminate();
        return true;
      };
    },
    /the thread that writes has ended; what was on its way/u,
    true,
  ],
];

for (const [title, lose, message, isWritten] of losses)
  test.serial(
    `of a commit on a thread ${title} the caller learns that it is unknown, and no later one hangs`,
    async (t) => {
      const path = join(await temporaryDirectory(t), 'state.db');
      const { state, thread } = await open(t, path);
      await state.create({ ...kind, id: 'before' }, 1);
      lose(thread);
      const lost = ['one', 'other'].map((id) => state.create({ ...kind, id }, 1));
      for (const writing of lost) await t.throwsAsync(writing, { ...unknown, message });
      await t.throwsAsync(state.create({ ...kind, id: 'later' }, 1), unknown);
      t.is((await state.get({ ...kind, id: 'before' }))?.spec, 1, 'what is in the file can still be read');
      await state[Symbol.asyncDispose]();

      const again = (await open(t, path)).state;
      const ids = (await again.list(kind)).resources.map(({ metadata }) => metadata.id);
      t.deepEqual(ids, isWritten ? ['before', 'one', 'other'] : ['before']);
      await again.create({ ...kind, id: 'later' }, 1);
    },
  );

import test from 'ava';

import { BatchQueue } from '../src/snapshot/batch-queue.ts';

/** A queue that has a full batch of some bytes, and nothing behind it. */
function queueWithBatch(): BatchQueue {
  const queue = new BatchQueue(() => {});
  queue.copyTo(100_000).fill(1);
  void queue.took(100_000);
  queue.copyTo(500_000); // has no room behind those
  return queue;
}

test('what fails while the reader is busy with the last batch is told to it', async (t) => {
  const queue = queueWithBatch();
  const batches = queue.batches();
  t.is((await batches.next()).value?.length, 100_000);
  queue.end(new Error('the member went away'));
  await t.throwsAsync(batches.next(), { message: 'the member went away' });
});

test('what ends well meanwhile ends the batches', async (t) => {
  const queue = queueWithBatch();
  const batches = queue.batches();
  await batches.next();
  queue.end();
  t.true((await batches.next()).done);
});

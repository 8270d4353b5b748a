import test from 'ava';

import { SliceQueue } from '../src/client/slice-queue.ts';

test('what nobody can ask for yet does not wait: a stream held back for it would stand still for ever', async (t) => {
  const queue = new SliceQueue(1, (message) => message.length);
  const text = Buffer.alloc(900_000, 'x');
  const tag = Buffer.from([(2 << 3) | 2, 0xa0, 0xf7, 0x36]); // field 2, 900 000 bytes
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(tag.length + text.length, 1);
  queue.push(Buffer.concat([prefix, tag, text.subarray(0, 800_000)]));
  t.is(queue.waiting, 0);
  queue.push(text.subarray(800_000));
  t.is(queue.waiting, tag.length + text.length);
  queue.end();
  t.deepEqual(await Array.fromAsync(queue.batches()), [{ pieces: [], rest: tag.length + text.length }]);
  t.is(queue.waiting, 0);
});

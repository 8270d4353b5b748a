import test from 'ava';

import { writeBack } from '../src/ffi.ts';

test('the event loop goes on while everything is written back', async (t) => {
  const events: string[] = [];
  const written = writeBack().then(() => events.push('written back'));
  events.push('goes on');
  await written;
  t.deepEqual(events, ['goes on', 'written back']);
});

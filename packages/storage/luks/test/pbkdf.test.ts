import { availableParallelism, totalmem } from 'node:os';

import test from 'ava';

import { chooseCosts } from '../src/pbkdf.ts';

test('the default is argon2id for two seconds, measured on this machine', (t) => {
  const costs = chooseCosts('/dev/vdb');
  t.is(costs.type, 'argon2id');
  t.is(costs.time_ms, 2000);
  t.is(costs.iterations, 0);
  t.is(costs.flags, 0);
});

test('an unlock takes at most a quarter of the memory, and never more than a GiB', (t) => {
  const { max_memory_kb: memoryKib } = chooseCosts('/dev/vdb');
  t.true(memoryKib <= totalmem() / 1024 / 4);
  t.true(memoryKib <= 1 << 20);
  t.true(memoryKib >= 1024);
});

test('an unlock leaves a core to the event loop, where there is more than one', (t) => {
  const { parallel_threads: threads } = chooseCosts('/dev/vdb');
  t.true(threads >= 1 && threads <= 4);
  t.true(threads === 1 || threads < availableParallelism());
});

test('given iterations are taken as they are', (t) => {
  const costs = chooseCosts('/dev/vdb', { type: 'argon2id', iterations: 4, memoryKib: 32, parallel: 1 });
  t.is(costs.iterations, 4);
  t.is(costs.max_memory_kb, 32);
  t.is(costs.parallel_threads, 1);
  t.is(costs.flags, 2);
});

test('costs outside of the format are refused', (t) => {
  const refused = { code: 'ERR_LUKS_UNSUPPORTED' };
  t.throws(() => chooseCosts('/dev/vdb', { type: 'argon2id', memoryKib: 8 }), refused);
  t.throws(() => chooseCosts('/dev/vdb', { type: 'argon2id', memoryKib: 8 << 20 }), refused);
  t.throws(() => chooseCosts('/dev/vdb', { type: 'argon2id', parallel: 5 }), refused);
  t.throws(() => chooseCosts('/dev/vdb', { type: 'pbkdf2', iterations: 999 }), refused);
});

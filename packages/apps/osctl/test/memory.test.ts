import type { MemoryValueInit } from '@nodecore/api/stat';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

async function memoryNode(t: ExecutionContext, values: readonly MemoryValueInit[]) {
  const node = await startFakeNode(t, {
    counters: { memory: (_call, answer) => answer(null, { values: [...values] }) },
  });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  return {
    endpoint: node.endpoint,
    run: (...args: readonly string[]) => osctl(['memory', ...args], { env }),
  };
}

const kB = (name: string, value: bigint): MemoryValueInit => ({ name, value, unit: 'kB' });

test('what the kernel does not say is a dash, and absent for programs', async (t) => {
  const { endpoint, run } = await memoryNode(t, [kB('MemTotal', 4096n), kB('MemFree', 1024n)]);
  const { out } = await run();
  t.deepEqual(out.split('\n')[1]?.split(/ {2,}/u), [endpoint, '4', '3', '1', '-', '-', '-', '-']);
  const [object] = JSON.parse((await run('-o', 'json')).out) as object[];
  t.deepEqual(object, { node: endpoint, totalBytes: 4 << 20, usedBytes: 3 << 20, freeBytes: 1 << 20 });
});

test('more available than there is, as in a container, is nothing used and no number below zero', async (t) => {
  const { run } = await memoryNode(t, [kB('MemTotal', 10n), kB('MemFree', 5n), kB('MemAvailable', 11n)]);
  t.is((await run('-o', 'jsonpath={.usedBytes}')).out.trim(), '0');
});

test('-v has everything in the order of the kernel, and moves no cursor', async (t) => {
  const { endpoint, run } = await memoryNode(t, [
    kB('MemTotal', 4096n),
    { name: 'Huge\u001b[2JPages', value: 3n, unit: '' },
  ]);
  t.is((await run('-v')).out, `node: ${endpoint}\nMemTotal: 4096 kB\nHuge?[2JPages: 3\n`);
  const [object] = JSON.parse((await run('-v', '-o', 'json')).out) as [
    { readonly values: readonly object[] },
  ];
  t.is(object.values.length, 2);
});

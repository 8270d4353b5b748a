import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { parseMemoryValues } from '../../../workload/host/src/counters/memory-values.ts';
import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

testWith(
  root,
  program('free'),
  program('unshare'),
)('memory has the numbers of free of the same moment', async (t) => {
  // One moment for both: free reads the copy in the place of what the kernel says later.
  const directory = await temporaryDirectory(t);
  const text = await readFile('/proc/meminfo', 'utf8');
  const moment = join(directory, 'meminfo');
  await mkdir(directory, { recursive: true });
  await writeFile(moment, text);
  const script = 'mount --bind "$1" /proc/meminfo && free -w -m && free -w -b';
  const free = await output(['unshare', '--mount', 'sh', '-ec', script, 'sh', moment]);
  const rows = free.split('\n').filter((line) => line.startsWith('Mem:'));
  const [mebibytes = [], bytes = []] = rows.map((line) => line.split(/\s+/u).slice(1));

  const values = [...parseMemoryValues(text)];
  const node = await startFakeNode(t, { counters: { memory: (_call, answer) => answer(null, { values }) } });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const table = await osctl(['memory'], { env });
  t.is(table.code, 0, table.error);
  t.deepEqual(table.out.split('\n')[1]?.split(/\s+/u).slice(1), mebibytes);
  const { out } = await osctl(['memory', '-o', 'json'], { env });
  const [found] = JSON.parse(out) as [Record<string, number>];
  const order = ['total', 'used', 'free', 'shared', 'buffers', 'cache', 'available'];
  t.deepEqual(
    order.map((name) => String(found[`${name}Bytes`])),
    bytes,
  );
  const [swap = []] = free
    .split('\n')
    .filter((line) => line.startsWith('Swap:'))
    .slice(1)
    .map((line) => line.split(/\s+/u).slice(1));
  t.deepEqual([found['swapTotalBytes'], found['swapUsedBytes'], found['swapFreeBytes']].map(String), swap);
});

import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

const disks = {
  nvme0n1: { dev_path: '/dev/nvme0n1', size: 54_000_000_000, transport: 'nvme', symlinks: [] },
  sda: { dev_path: '/dev/sda', size: 9_007_199_254_740_993n, transport: 'sata', symlinks: [] },
  sdb: { dev_path: '/dev/sdb', size: 500, transport: 'usb', symlinks: ['/dev/disk/by-id/stick'] },
};
const specs = {
  'Disks.block.nodecore.dev': disks,
  'SystemDisks.block.nodecore.dev': { 'system-disk': { diskID: 'sda' } },
  'DiscoveredVolumes.block.nodecore.dev': {
    sda1: { type: 'partition', name: 'xfs', partition_label: 'EPHEMERAL', parent: 'sda', size: 1000 },
    sdb: { type: 'disk', name: '', size: 500 },
  },
};

async function get(
  t: ExecutionContext,
  ...argv: string[]
): Promise<{ code: number; out: string; error: string }> {
  const node = await startFakeNode(t, { specs });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  return await osctl(['get', ...argv, '-n', '127.0.0.1'], { env });
}

test('each disk is shown with the part of the expression that is not true, its place and the values in it', async (t) => {
  const { code, out, error } = await get(t, 'disks', '--match', 'disk.size > 1 * GB && !system_disk');
  t.is(error, '');
  t.deepEqual(out.split('\n'), [
    'NODE        ID        MATCHES   FAILED PART          AT     BECAUSE',
    '127.0.0.1   nvme0n1   yes',
    '127.0.0.1   sda       no        !system_disk         1:23   system_disk is true',
    '127.0.0.1   sdb       no        disk.size > 1 * GB   1:1    disk.size is 500',
    '',
  ]);
  t.is(code, 0);
});

test('JSON has the verdict with all digits, and one object for one disk', async (t) => {
  const all = await get(t, 'disks', '--match', 'disk.size < 5', '-o', 'json');
  t.true(all.out.includes('"disk.size": 9007199254740993'));
  t.is((JSON.parse(all.out) as unknown[]).length, 3);
  const one = await get(t, 'disks', 'sdb', '--match', "disk.transport == 'sata'", '-o', 'json');
  t.deepEqual(JSON.parse(one.out), {
    node: '127.0.0.1',
    id: 'sdb',
    matched: false,
    failed: {
      text: "disk.transport == 'sata'",
      line: 1,
      column: 1,
      facts: { 'disk.transport': 'usb' },
    },
  });
});

test('a discovered volume is judged with the disk it is on', async (t) => {
  const expression = "volume.partition_label == 'EPHEMERAL' && system_disk && disk.transport == 'sata'";
  const { out } = await get(t, 'discoveredvolumes', '--match', expression, '-o', 'json');
  t.like(JSON.parse(out), {
    0: { id: 'sda1', matched: true },
    1: { id: 'sdb', matched: false, failed: { facts: { 'volume.partition_label': '' } } },
    length: 2,
  });
});

test('an expression that can not be used is a usage error with a caret', async (t) => {
  const { code, error } = await get(t, 'disks', '--match', 'disk.sise > 1');
  t.is(code, 2);
  const [first, text, caret] = error.split('\n');
  t.regex(first ?? '', /--match: .*sise.*line 1, column/);
  t.is(text, 'osctl:   disk.sise > 1');
  t.regex(caret ?? '', /^osctl: +\^$/);
});

test('an expression that fails on disks says so of each of them', async (t) => {
  const zone = 'timestamp("2009-02-13T23:31:30Z").getHours(disk.model) == 0';
  const failing = await get(t, 'disks', '--match', zone, '-o', 'json');
  t.is(failing.code, 0);
  const at = { line: 1, column: 1, text: zone };
  t.like(JSON.parse(failing.out), {
    0: { id: 'nvme0n1', matched: false, failed: at },
    1: { id: 'sda', matched: false, failed: at },
  });
  t.regex(failing.out, /there is no time zone/);
  const costly = `[1, 2, 3, 4, 5, 6, 7, 8].all(a, true)`;
  const nested = 'abcdefg'
    .split('')
    .reduce((body, name) => costly.replace('a, true', `${name}, ${body}`), 'true');
  const { code, out } = await get(t, 'disks', 'sda', '--match', nested);
  t.is(code, 0);
  t.regex(out, /costs too much: more than 50000 steps/);
});

test('an expression that is too deep is a usage error, too', async (t) => {
  const { code, error } = await get(t, 'disks', '--match', `${'!'.repeat(20_000)}system_disk`);
  t.is(code, 2);
  t.regex(error, /--match: too many parts in each other.*\(line 1, column 201\)/);
  t.true(error.length < 1000);
});

test('what volumes have can not be asked of disks', async (t) => {
  const { code, error } = await get(t, 'disks', '--match', "volume.name == 'xfs'");
  t.is(code, 2);
  t.regex(error, /volume/);
});

test('types without selectors, an unknown disk, and a watch are refused', async (t) => {
  const other = await get(t, 'volumestatuses', '--match', 'system_disk');
  t.is(other.code, 2);
  t.regex(other.error, /disks or discoveredvolumes/);
  t.is((await get(t, 'disks', 'sdz', '--match', 'system_disk')).code, 3);
  t.is((await get(t, 'disks', '-w', '--match', 'system_disk')).code, 2);
});

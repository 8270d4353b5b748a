import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { MountTable } from '../../agent/src/machine/mount-table.ts';
import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

/** The cells of the only row of a table, which are apart by this much. */
function cellsOf(text: string, apart: RegExp): readonly string[] {
  return (text.trimEnd().split('\n')[1] ?? '').trim().split(apart);
}

testWith(
  root,
  program('mkfs.ext4'),
  program('df'),
)('diskfree has the numbers of df, of a file system that keeps blocks for root', async (t) => {
  const device = await loopDevice(t, { sizeBytes: 64 << 20 });
  // What the kernel would write later is written now: nothing changes between the two answers.
  const whole = ['-E', 'lazy_itable_init=0,lazy_journal_init=0'];
  await output(['mkfs.ext4', '-q', '-m', '10', ...whole, device.path]);
  const target = join(await temporaryDirectory(t), 'mounted');
  await mkdir(target);
  await output(['mount', device.path, target]);
  t.teardown(() => output(['umount', target]));
  await writeFile(join(target, 'file'), Buffer.alloc(3 << 20, 1));
  await output(['sync', '--file-system', target]);

  const table = new MountTable();
  const node = await startFakeNode(t, {
    specs: {
      'VolumeStatuses.block.nodecore.dev': { 'u-data': { type: 'partition', phase: 'ready' } },
      'MountStatuses.block.nodecore.dev': { 'u-data': { source: device.path, target, phase: 'mounted' } },
    },
    machine: {
      mounts: (_call, answer) => void table.read().then((mounts) => answer(null, { mounts }), answer),
    },
  });
  const env = await clientConfig(t, { endpoints: [node.endpoint] });
  const df = async (columns: string): Promise<readonly string[]> =>
    cellsOf(await output(['df', '--block-size=1', `--output=${columns}`, target]), / +/u);
  const shown = async (...words: readonly string[]): Promise<readonly string[]> => {
    const { out, error } = await osctl(['diskfree', 'u-data', ...words], { env });
    t.is(error, '');
    return cellsOf(out, / {2,}/u);
  };

  const bytes = await df('source,size,used,avail,pcent,target');
  const inodes = await df('source,itotal,iused,iavail,ipcent,target');
  t.deepEqual(await shown('--bytes'), [node.endpoint, 'u-data', ...bytes]);
  t.deepEqual(await shown('--inodes'), [node.endpoint, 'u-data', ...inodes]);
  const { out } = await osctl(['diskfree', '-o', 'json'], { env });
  const [found] = JSON.parse(out) as [Readonly<Record<string, number | string>>];
  const { sizeBytes, usedBytes, availableBytes, inodes: total, inodesFree } = found;
  t.deepEqual([sizeBytes, usedBytes, availableBytes].map(String), bytes.slice(1, 4));
  t.deepEqual([String(total), String(inodesFree)], [inodes[1], inodes[3]]);
  t.true(Number(sizeBytes) - Number(usedBytes) > Number(availableBytes), 'the rest is for root');
  t.is(found['filesystem'], 'ext4');
});

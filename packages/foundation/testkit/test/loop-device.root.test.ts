import { readFileSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';

import { loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

testWith(root)(
  'a loop device has the size and sector size asked for, and is gone after detach',
  async (t) => {
    const loop = await loopDevice(t, { sizeBytes: 8 << 20, sectorSize: 4096 });
    const queue = `/sys/block/${loop.path.slice('/dev/'.length)}`;
    t.is(readFileSync(`${queue}/queue/logical_block_size`, 'utf8').trim(), '4096');
    t.is(Number(readFileSync(`${queue}/size`, 'utf8')), (8 << 20) / 512);
    await loop.detach();
    await loop.detach();
    t.throws(() => readFileSync(`${queue}/loop/backing_file`), { code: 'ENOENT' });
  },
);

testWith(root)('what is written to the device reaches its file', async (t) => {
  const loop = await loopDevice(t, { sizeBytes: 1 << 20 });
  {
    await using device = await open(loop.path, 'r+');
    await device.write(Buffer.alloc(512, 0x5a), 0, 512, 4096);
    await device.sync();
  }
  t.is((await readFile(loop.file))[4096], 0x5a);
});

testWith(root, program('mkfs.ext4'))('a device that is still mounted at the end is told', async (t) => {
  const loop = await loopDevice(t, { sizeBytes: 8 << 20 });
  const target = await temporaryDirectory(t);
  await output(['mkfs.ext4', '-q', loop.path]);
  await output(['mount', loop.path, target]);
  t.teardown(() => output(['umount', target]));
  await t.throwsAsync(loop.detach(), {
    message: `${loop.path} is still in use after the test: mounted on ${target}`,
  });
});

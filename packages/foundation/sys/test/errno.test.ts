import { open } from 'node:fs/promises';

import test from 'ava';

import { errnoName, ioctl, SystemCallError } from '@nodecore/sys';

test('errno has a name in either sign, and an unknown one keeps its number', (t) => {
  t.is(errnoName(22), 'EINVAL');
  t.is(errnoName(-22), 'EINVAL');
  t.is(errnoName(11), 'EAGAIN');
  t.is(errnoName(-95), 'EOPNOTSUPP');
  t.is(errnoName(4095), 'errno 4095');
  t.is(errnoName(117), 'EUCLEAN');
});

test('a refused ioctl carries the errno of the thread that made it', async (t) => {
  await using file = await open('/dev/null', 'r');
  const BLKGETSIZE64 = 0x80081272;
  const error = await t.throwsAsync(
    ioctl({ fd: file.fd, path: '/dev/null', name: 'BLKGETSIZE64' }, BLKGETSIZE64, new Uint8Array(8)),
    { instanceOf: SystemCallError },
  );
  t.is(error.errno, 'ENOTTY');
  t.is(error.message, 'BLKGETSIZE64 on /dev/null: ENOTTY');
});

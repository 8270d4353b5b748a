import test from 'ava';

import { findMeta } from '../src/persistence/system-disk.ts';
import { disk, inventory, partition } from './inventory.ts';

const meta = { partitionLabel: 'META' };

test('META is the partition with this label and of 1 MiB', (t) => {
  const volumes = [
    partition('vda', 1),
    partition('vda', 2, meta),
    partition('vdb', 1, { ...meta, size: 2n << 20n }),
  ];
  t.is(findMeta(inventory([disk('vda'), disk('vdb')], volumes)), '/dev/vda2');
});

test('no META and several METAs are errors, and the second lists them', (t) => {
  t.throws(() => findMeta(inventory([], [])), { code: 'ERR_STATE_NO_SYSTEM_DISK' });
  const volumes = [partition('vdb', 1, meta), partition('vda', 2, meta)];
  t.throws(() => findMeta(inventory([], volumes)), {
    code: 'ERR_STATE_AMBIGUOUS',
    message: /\/dev\/vda2, \/dev\/vdb1/,
  });
});

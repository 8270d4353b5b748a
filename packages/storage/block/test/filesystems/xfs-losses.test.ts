import test from 'ava';

import { xfsLosses } from '../../src/filesystems/xfs-losses.ts';

// As xfsprogs 6.1.0 prints it, with the header of an allocation group overwritten.
const headers = `Phase 1 - find and verify superblock...
Phase 2 - using internal log
        - zero log...
Metadata corruption detected at 0x55d7b237d2c8, xfs_agi block 0x2/0x200
bad magic # 0x0 for agi 0
would reset bad agi for ag 0
Phase 3 - for each AG...
        - process known inodes and perform inode discovery...
imap claims in-use inode 131 is free, would correct imap
Phase 4 - check for duplicate blocks...
No modify flag set, skipping phase 5
`;
const inode = 'would have cleared inode 131\n';

test('what is made anew from the inodes is no loss', (t) => {
  t.deepEqual(xfsLosses(headers), []);
});

test('whatever else is found among the inodes is one', (t) => {
  t.deepEqual(xfsLosses(`${headers}${inode}`), ['would have cleared inode 131']);
  t.deepEqual(xfsLosses(`${headers}something new\n`), ['something new']);
  t.deepEqual(xfsLosses(inode), ['would have cleared inode 131'], 'the beginning is not there');
});

test('what ends before the inodes can not be judged', (t) => {
  const stop = 'Cannot proceed further in no_modify mode.';
  t.deepEqual(xfsLosses(`Phase 1 - find and verify superblock...\nbad primary superblock\n${stop}\n`), [
    'bad primary superblock',
    stop,
  ]);
});

test('what is found while a log waits for its mount means nothing', (t) => {
  const alert =
    'ALERT: The filesystem has valuable metadata changes in a log which is being\nignored because';
  t.deepEqual(xfsLosses(`${alert}\n${headers}${inode}`), []);
});

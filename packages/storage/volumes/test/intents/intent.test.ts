import test from 'ava';

import type { Disk } from '@nodecore/block';

import { identityOf, isDisk, isStill } from '../../src/intents/intent.ts';

const disk = (facts: Partial<Disk>): Disk =>
  ({
    wwid: '',
    serial: '',
    model: '',
    size: 1n << 30n,
    busPath: '/virtual',
    devPath: '/dev/loop0',
    ...facts,
  }) as Disk;

test('two loop devices of one size are two disks', (t) => {
  const identity = identityOf(disk({}));
  t.true(isDisk(disk({}), identity));
  t.false(isDisk(disk({ devPath: '/dev/loop1' }), identity));
});

test('a disk without a number of its own is known by its place, whatever the kernel calls it', (t) => {
  const identity = identityOf(disk({ busPath: '/pci0000:00/0000:00:05.0/virtio2', devPath: '/dev/vda' }));
  t.true(isDisk(disk({ busPath: '/pci0000:00/0000:00:05.0/virtio2', devPath: '/dev/vdb' }), identity));
  t.false(isDisk(disk({ busPath: '/pci0000:00/0000:00:06.0/virtio3', devPath: '/dev/vda' }), identity));
});

test('a serial number counts with its model, and a world-wide one alone', (t) => {
  const serial = identityOf(disk({ serial: 'S1', model: 'A' }));
  t.true(isDisk(disk({ serial: 'S1', model: 'A', devPath: '/dev/sdz' }), serial));
  t.false(isDisk(disk({ serial: 'S1', model: 'B' }), serial));
  const wwid = identityOf(disk({ wwid: 'naa.5000', serial: 'S1', model: 'A' }));
  t.true(isDisk(disk({ wwid: 'naa.5000', serial: 'S2', model: 'B' }), wwid));
});

test('a disk that was there before may have grown, unless another can have its name', (t) => {
  const larger = { size: 2n << 30n };
  t.true(isStill(disk({ sequence: 7n, ...larger }), disk({ sequence: 7n })));
  t.false(isStill(disk({ sequence: 8n, ...larger }), disk({ sequence: 7n })));
  t.true(isStill(disk({ wwid: 'naa.5000', ...larger }), disk({ wwid: 'naa.5000' })));
  t.false(isStill(disk({ wwid: 'naa.5001', ...larger }), disk({ wwid: 'naa.5000' })));
  t.true(isStill(disk({ serial: 'S1', ...larger }), disk({ serial: 'S1' })));
  t.false(isStill(disk({ serial: 'S1' }), disk({ serial: 'S1', ...larger })));
  const reader = { wwid: 'naa.5000', serial: 'S1' };
  t.false(isStill(disk({ ...reader, sequence: 8n, ...larger }), disk({ ...reader, sequence: 7n })));
  t.false(isStill(disk(larger), disk({})));
});

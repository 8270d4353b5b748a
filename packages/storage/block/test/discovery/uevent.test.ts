import test from 'ava';

import { diskOfUevent, parseUevent } from '../../src/discovery/uevent.ts';

const message = (...lines: readonly string[]): Uint8Array => new TextEncoder().encode(lines.join('\0'));

function about(path: string, type: string, subsystem = 'block'): string | undefined {
  const uevent = parseUevent(message(`change@${path}`, `SUBSYSTEM=${subsystem}`, `DEVTYPE=${type}`));
  return uevent === undefined ? undefined : diskOfUevent(uevent);
}

test('an announcement is its action, its path and its values', (t) => {
  const uevent = parseUevent(
    message('add@/devices/virtual/block/loop0', 'ACTION=add', 'SUBSYSTEM=block', 'A=b=c', ''),
  );
  t.is(uevent?.action, 'add');
  t.is(uevent?.path, '/devices/virtual/block/loop0');
  t.is(uevent?.values.get('A'), 'b=c');
});

test('a disk and a partition of it are about the same disk', (t) => {
  t.is(about('/devices/pci0000:00/nvme/nvme0/nvme0n1', 'disk'), 'nvme0n1');
  t.is(about('/devices/pci0000:00/nvme/nvme0/nvme0n1/nvme0n1p1', 'partition'), 'nvme0n1');
  t.is(about('/devices/virtual/net/lo', '', 'net'), undefined);
});

test('what is no announcement is none', (t) => {
  for (const text of ['', 'libudev', '@path', 'add']) t.is(parseUevent(message(text)), undefined, text);
});

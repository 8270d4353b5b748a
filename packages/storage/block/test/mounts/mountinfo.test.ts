import test from 'ava';

import { parseMountinfo, unescapeOctal } from '../../src/mounts/mountinfo.ts';

// Linux 6.18, 21 November 2026; the target of the second line has a blank, a tab, a newline and a backslash.
const captured = String.raw`27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
43 27 7:0 /sub /mnt/a\040b\011c\012d\134e rw,nosuid,noatime shared:22 master:3 - xfs /dev/loop0 rw,inode64,noquota
44 27 0:5 / /dev ro - devtmpfs devtmpfs rw,size=4k
45 27 0:30 / /mnt/# rw - fuse.x name\040with\040-\040dash rw
`;

test('each line becomes a mount, with any number of optional fields', (t) => {
  t.deepEqual(parseMountinfo(captured)[0], {
    id: 27,
    parentId: 1,
    deviceNumber: '254:0',
    root: '/',
    target: '/',
    options: ['rw', 'relatime'],
    type: 'ext4',
    source: '/dev/vda',
    superOptions: ['rw', 'discard'],
  });
  t.deepEqual(
    parseMountinfo(captured).map(({ type }) => type),
    ['ext4', 'xfs', 'devtmpfs', 'fuse.x'],
  );
});

test('what the kernel escapes is unescaped', (t) => {
  const [, second, , fourth] = parseMountinfo(captured);
  t.is(second?.target, '/mnt/a b\tc\nd\\e');
  t.is(second?.root, '/sub');
  t.is(fourth?.source, 'name with - dash');
  t.is(unescapeOctal('\\0401 \\999 \\'), ' 1 \\999 \\');
});

test('a line that is none is left out', (t) => {
  t.deepEqual(parseMountinfo('\n\nnonsense\n27 1 254:0 / /\n'), []);
});

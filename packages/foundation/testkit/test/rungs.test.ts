import test from 'ava';

import { filesOf, rungOf } from '../src/rungs.ts';
import { select } from '../src/selection.ts';

const files = [
  'hw-tests/test/boot.vm.test.ts',
  'hw-tests/test/power.fault.test.ts',
  'packages/storage/block/test/gpt.root.test.ts',
  'packages/storage/luks/test/header.test.ts',
  'packages/storage/luks/test/open.vm.test.ts',
];

test('the name of a file says its rung', (t) => {
  t.deepEqual(files.map(rungOf), ['vm', 'fault', 'root', 'unit', 'vm']);
});

test('tests of the rig run outside the machine, those of packages inside', (t) => {
  t.deepEqual(filesOf('vm', files, []), {
    host: ['hw-tests/test/boot.vm.test.ts'],
    network: [],
    guest: ['packages/storage/luks/test/open.vm.test.ts'],
  });
});

test('words narrow the files of the chosen rungs', (t) => {
  t.deepEqual(select(['vm', 'luks']), { rungs: ['vm'], words: ['luks'] });
  t.deepEqual(filesOf('vm', files, ['luks']), {
    host: [],
    network: [],
    guest: ['packages/storage/luks/test/open.vm.test.ts'],
  });
  t.deepEqual(select([]).rungs, ['unit', 'root', 'vm', 'fault']);
});

test('files that need a network of their own are told from the others of their rung', (t) => {
  const files = [
    'packages/network/capture/test/open.netns.root.test.ts',
    'packages/storage/block/test/wipe.root.test.ts',
  ];
  t.deepEqual(filesOf('root', files, []), { host: [files[1]], network: [files[0]], guest: [] });
});

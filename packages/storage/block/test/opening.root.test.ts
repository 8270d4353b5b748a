import { rename } from 'node:fs/promises';
import { basename } from 'node:path';

import { loopDevice, program, root, testWith } from '@nodecore/testkit';

import * as filesystems from '../src/filesystems/filesystems.ts';
import { watch } from '../src/discovery/watch.ts';
import './patient-proofs.ts';

testWith(root, program('mkfs.ext4'))(
  'a disk that can not be opened is published with its error, and with its content as soon as it can be',
  async (t) => {
    const { path } = await loopDevice(t, { sizeBytes: 64 << 20 });
    const { uuid } = await filesystems.format(path, { type: 'ext4' });
    const away = `${path}-away`;
    await rename(path, away);
    t.teardown(() => rename(away, path).catch(() => {})); // unless it is back
    const seen: string[] = [];
    for await (const { disks, volumes } of watch()) {
      const disk = disks.find(({ id }) => id === basename(path));
      const volume = volumes.find(({ id }) => id === basename(path));
      t.is(disk?.size, 64n << 20n); // a hidden disk helps nobody
      seen.push(disk?.error ?? volume?.uuid ?? '');
      if (disk?.error === undefined) break;
      if (seen.length === 1) await rename(away, path); // tells nobody anything about its content
    }
    t.regex(seen[0] ?? '', /ENOENT/);
    t.is(seen.at(-1), uuid);
  },
);

import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { metaTag } from '@nodecore/meta';
import { filesystems, list, partitions } from '@nodecore/block';
import { loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { Meta } from '../src/persistence/meta.ts';
import { beginReset, performReset } from '../src/persistence/pending-reset.ts';
import { planReset } from '../src/resets/plan.ts';

const mebibyte = 1 << 20;
const typeGuid = '0FC63DAF-8483-4772-8E79-3D69D8477DE4';
const rooted = testWith(root, program('mkfs.ext4'), program('delpart'));

async function digest(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

rooted(
  'of a real disk exactly the named partition goes; its neighbours are the same to the byte',
  async (t) => {
    const { path } = await loopDevice(t, { sizeBytes: 256 * mebibyte });
    await partitions.create(path);
    const made = new Map<string, string>();
    for (const label of ['STATE', 'EPHEMERAL', 'LOG']) {
      const options = { label, typeGuid, partitionGuid: randomUUID(), underConstruction: false };
      const { devPath } = await partitions.add(path, { ...options, sizeBytes: BigInt(64 * mebibyte) });
      await filesystems.format(devPath, { type: 'ext4', label });
      made.set(label, devPath);
    }
    const [state = '', log = ''] = [made.get('STATE'), made.get('LOG')];
    const before = [await digest(state), await digest(log)];
    const metaPath = join(await temporaryDirectory(t), 'meta');
    await using file = await open(metaPath, 'w');
    await file.truncate(mebibyte);
    const meta = await Meta.open(metaPath);

    const all = await list();
    const inventory = {
      disks: all.disks.filter(({ devPath }) => devPath === path),
      volumes: all.volumes.filter(({ devPath, parentDevPath }) => devPath === path || parentDevPath === path),
    };
    const located = {
      type: 'partition',
      phase: 'ready',
      configuredEncryptionKeys: [],
      encryptionFailedSyncs: [],
    } as const;
    const statuses = [{ ...located, id: 'EPHEMERAL', location: made.get('EPHEMERAL') ?? '' }];
    const names = { mode: 'system-disk', labels: ['EPHEMERAL'], userDisks: [] } as const;
    const entries = (await partitions.read(path))?.partitions ?? [];
    const { record } = planReset(names, { inventory, statuses });
    const hold = (): Promise<FileHandle> => open(made.get('EPHEMERAL') ?? '', 0x8000 | 0x80); // O_LARGEFILE | O_EXCL: for us alone

    // Somebody has it: nothing begins that he would hold up.
    const first = await hold();
    await t.throwsAsync(beginReset(meta, record, inventory), { code: 'ERR_BLOCK_BUSY' });
    t.is(meta.get(metaTag.reset), undefined);
    await first.close();
    await beginReset(meta, record, inventory);

    // Somebody took it meanwhile: it is not wiped under him, and the reset stays to be done.
    const held = await hold();
    await t.throwsAsync(
      performReset(meta, inventory, () => {}),
      { code: 'ERR_BLOCK_BUSY' },
    );
    t.is(JSON.parse(String(meta.get(metaTag.reset))).stage, 'wipe');
    await held.close();

    // What a crash between kernel and table leaves: an entry with content, and no device that would show it.
    await output(['delpart', path, '2']);
    await performReset(meta, inventory, () => {});
    t.deepEqual(
      (await partitions.read(path))?.partitions.map(({ label, devPath }) => [label, devPath]),
      [
        ['STATE', state],
        ['LOG', log],
      ],
    );
    t.deepEqual([await digest(state), await digest(log)], before);
    const was = record.partitions[0]?.partitionGuid;
    const { offset = 0n } = entries.find(({ partitionGuid }) => partitionGuid === was) ?? {};
    await using whole = await open(path);
    const { buffer: superblock } = await whole.read(Buffer.alloc(4096), 0, 4096, Number(offset));
    t.true(superblock.every((byte) => byte === 0));
  },
);

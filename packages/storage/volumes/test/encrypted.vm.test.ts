import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { mounts, probe, swaps, wipe } from '@nodecore/block';
import { header } from '@nodecore/luks';
import { output, root, temporaryDirectory, testWith, virtualNode } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import type { VolumeManager, VolumeSpec } from '../src/index.ts';
import { capacityMiB, growing } from './growing.ts';
import { rawSpec, swapSpec } from './kind-specs.ts';
import { manage, MemoryIntents, reach, until } from './real.ts';
import { diskSpec, encryption, type Mounted, nodeId, passphrase, userSpec } from './specs.ts';

const inNode = testWith(root, virtualNode);
const disks = JSON.parse(process.env['NODECORE_VM_DISKS'] ?? '{}') as Record<string, string>;
const nvme = disks['nvme'] ?? '';
const scsi = disks['scsi'] ?? '';
/** Nobody makes the link here; it is a fact all the same. */
const scsiLink = '"/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_RIG-SCSI-0" in disk.symlinks';
const on = (path: string): string => `disk.dev_path == "${path}"`;

type Setting = {
  readonly specs: (keys: { readonly data: string }) => readonly Mounted[];
  readonly intents: MemoryIntents;
  /** A manager of the same disks; everything is closed after the test. */
  readonly start: (specs: readonly VolumeSpec[]) => VolumeManager;
};

/** An encrypted xfs partition on NVMe, and an ext4 on the whole of the SCSI disk; both blank again after the test. */
async function setting(t: ExecutionContext): Promise<Setting> {
  const mountRoot = await temporaryDirectory(t);
  const intents = new MemoryIntents();
  t.teardown(async () => {
    await output(['sfdisk', '--quiet', '--delete', nvme]).catch(() => {}); // no table was made
    for (const path of [nvme, scsi]) await wipe.content(path, { method: 'fast' });
  });
  const specs = ({ data }: { readonly data: string }): readonly Mounted[] => [
    below(
      mountRoot,
      userSpec('data', on(nvme), {
        encryption: {
          ...encryption(passphrase(0, data), nodeId(1)),
          blockSize: 4096,
          options: ['no_read_workqueue', 'no_write_workqueue'],
          allowDiscards: true,
        },
      }),
    ),
    below(
      mountRoot,
      diskSpec('db', scsiLink, {
        filesystem: { type: 'ext4', label: 'u-db', projectQuotaSupport: false },
        encryption: {
          ...encryption(passphrase(2, 'second slot')),
          cipher: 'xchacha20,aes-adiantum-plain64',
          keySizeBits: 256,
        },
      }),
    ),
  ];
  const start = (wanted: readonly VolumeSpec[]): VolumeManager => {
    const manager = manage([nvme, scsi], intents, wanted);
    t.teardown(() => manager.close());
    return manager;
  };
  return { specs, intents, start };
}

function below(mountRoot: string, spec: Mounted): Mounted {
  return { ...spec, mount: { ...spec.mount, target: join(mountRoot, spec.mount.target) } };
}

inNode(
  'blank disks become encrypted volumes as configured, adopted and unlocked by later managers',
  async (t) => {
    const { specs, start } = await setting(t);
    const wanted = specs({ data: 'right' });
    const first = start(wanted);
    const statuses = await reach(first, 'ready');
    t.like(statuses.get('u-data'), {
      encryptionProvider: 'luks2',
      encryptionSlot: 0,
      encryptionFailedSyncs: [],
    });
    const location = statuses.get('u-data')?.location ?? '';
    const dump = await output(['cryptsetup', 'luksDump', location]);
    t.regex(dump, /Label:\s+u-data/);
    t.regex(dump, /cipher: aes-xts-plain64/);
    t.regex(dump, /sector: 4096/);
    t.regex(dump, /^ {2}1: luks2/m);
    t.regex(dump, /^Flags:\s+allow-discards no-read-workqueue no-write-workqueue\s*$/m);
    t.regex(await output(['cryptsetup', 'luksDump', scsi]), /cipher: xchacha20,aes-adiantum-plain64/);
    const active = await output(['cryptsetup', 'status', 'luks2-u-data']);
    t.regex(active, /flags:\s+discards no_read_workqueue no_write_workqueue/);
    const files = wanted.map((spec) => join(spec.mount.target, 'file'));
    for (const file of files) await writeFile(file, file);

    await first.stop(); // as if the process had been killed: mappings and mounts stay
    const second = start(wanted);
    const adopted = await reach(second, 'ready');
    t.is(adopted.get('u-data')?.uuid, statuses.get('u-data')?.uuid);
    t.is(
      (await mounts.list()).filter((mount) => wanted.some((spec) => spec.mount.target === mount.target))
        .length,
      2,
    );
    await second.close();
    t.is((await output(['dmsetup', 'ls', '--target', 'crypt'])).includes('luks2-'), false);

    const third = start(wanted);
    await reach(third, 'ready');
    for (const file of files) t.is(await readFile(file, 'utf8'), file);
  },
);

inNode('an encrypted ext4 in use grows with its partition, through the mapping', async (t) => {
  const { start } = await setting(t);
  const target = join(await temporaryDirectory(t), 'data');
  const wanted = (maxMiB: number): VolumeSpec => ({
    ...growing(target, on(nvme), maxMiB),
    filesystem: { type: 'ext4', label: 'u-data', projectQuotaSupport: false },
    encryption: encryption(passphrase(0, 'right')),
  });
  const first = start([wanted(200)]);
  await reach(first, 'ready');
  await writeFile(join(target, 'file'), 'kept');
  const before = await capacityMiB(target);
  await first.stop(); // the mapping was opened by a process that is gone
  const second = start([wanted(400)]);
  const grown = await until(second, ([status]) => status?.phase === 'ready' && status.size === 400n << 20n);
  t.is(grown.get('u-data')?.reason, undefined);
  const after = await capacityMiB(target);
  t.true(after > before + 150, `${before} MiB became ${after}`);
  t.is(await readFile(join(target, 'file'), 'utf8'), 'kept');
});

inNode('a wrong passphrase is told apart and touches nothing', async (t) => {
  const { specs, start } = await setting(t);
  const [data] = specs({ data: 'right' });
  if (data?.encryption === undefined) throw new Error('not encrypted');
  const onlyStatic = (text: string): VolumeSpec => ({ ...data, encryption: encryption(passphrase(0, text)) });
  const first = start([onlyStatic('right')]);
  const statuses = await reach(first, 'ready');
  await first.close();
  const location = statuses.get('u-data')?.location ?? '';
  const second = start([onlyStatic('wrong')]);
  const refused = await until(second, (all) => all[0]?.errorCode !== undefined);
  t.like(refused.get('u-data'), { errorCode: 'ERR_VOLUME_KEYS', permanence: 'needs-operator' });
  t.is((await header.read(location))?.uuid, statuses.get('u-data')?.uuid);
  second.apply([onlyStatic('right')]);
  await reach(second, 'ready');
});

inNode(
  'an encrypted raw volume is a blank mapping, and encrypted swap space is used through one',
  async (t) => {
    const { start } = await setting(t);
    const bytes = 64n << 20n;
    const maxSize = { kind: 'bytes', bytes, negative: false, text: '64MiB' } as const;
    const change = {
      encryption: encryption(passphrase(0, 'right')),
      partition: { typeGuid: '0FC63DAF-8483-4772-8E79-3D69D8477DE4', minSize: bytes, maxSize, grow: false },
    };
    const specs = [
      rawSpec('osd', on(nvme), { ...change, blank: 'zeroes' }),
      swapSpec('swap', on(nvme), change),
    ];
    const first = start(specs);
    await reach(first, 'ready');
    t.like(await probe('/dev/mapper/luks2-r-osd'), { name: '' });
    const shown = await readFile('/dev/mapper/luks2-r-osd');
    t.true(shown.length > 40 << 20 && shown.equals(Buffer.alloc(shown.length)), 'it reads as zeros');
    t.like(await probe('/dev/mapper/luks2-s-swap'), { name: 'swap', label: 's-swap' });
    t.is((await swaps.list()).length, 1);
    await first.stop();
    const second = start(specs);
    await reach(second, 'ready');
    await second.close();
    t.deepEqual(await swaps.list(), []);
    t.is((await output(['dmsetup', 'ls', '--target', 'crypt'])).includes('luks2-'), false);
  },
);

inNode('a LUKS1 disk is left as it is', async (t) => {
  const { start, specs } = await setting(t);
  const [, db] = specs({ data: 'right' });
  if (db === undefined) throw new Error('no disk volume');
  const keyFile = join(await temporaryDirectory(t), 'key');
  await writeFile(keyFile, 'somebody else');
  await output(['cryptsetup', 'luksFormat', '--type', 'luks1', '--batch-mode', '--key-file', keyFile, scsi]);
  const before = await output(['cryptsetup', 'luksUUID', scsi]);
  const manager = start([db]);
  const statuses = await until(manager, (all) => all[0]?.reason?.startsWith('no disk can be used') === true);
  t.regex(statuses.get('u-db')?.reason ?? '', /luks1/);
  t.is(await output(['cryptsetup', 'luksUUID', scsi]), before);
});

import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, stat, statfs, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { mounts } from '@nodecore/block';
import {
  leakedDescriptors,
  loopDevice,
  openDescriptors,
  output,
  program,
  root,
  temporaryDirectory,
  testWith,
} from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { eligibility, MountPoint, trim, type TrimProgress } from '../src/index.ts';
import type { Range } from '../src/progression.ts';
import { trimRanges } from '../src/trim.ts';

const mib = 1 << 20;
const types = ['ext4', 'xfs', 'btrfs'] as const;

type Filesystem = {
  readonly target: string;
  readonly device: string;
  /** What the backing file takes on the host's disk. */
  readonly usedBytes: () => Promise<number>;
  readonly unmount: () => Promise<void>;
};

async function filesystem(
  t: ExecutionContext,
  type: (typeof types)[number],
  sizeBytes = 1024 * mib,
): Promise<Filesystem> {
  const { path: device, file } = await loopDevice(t, { sizeBytes });
  await output([`mkfs.${type}`, '-q', type === 'ext4' ? '-F' : '-f', device]);
  const target = join(await temporaryDirectory(t), 'target');
  await mounts.mount({ source: device, target, type });
  let isMounted = true;
  const unmount = async (): Promise<void> => {
    if (isMounted) await mounts.unmount(target);
    isMounted = false;
  };
  t.teardown(unmount);
  const usedBytes = async (): Promise<number> => {
    await output(['sync', '-f', file]);
    return (await stat(file)).blocks * 512;
  };
  return { target, device, usedBytes, unmount };
}

/** Fills a directory with files that take blocks below, and removes every second one. */
async function fillAndRemove(
  target: string,
  files = 200,
): Promise<{ removedBytes: number; kept: ReadonlyMap<string, Buffer> }> {
  const kept = new Map<string, Buffer>();
  const names = Array.from({ length: files }, (_, index) => join(target, `file-${index}`));
  for (const [index, name] of names.entries()) {
    const bytes = randomBytes(mib);
    await writeFile(name, bytes);
    if (index % 2 === 0) kept.set(name, bytes);
  }
  await output(['sync', '-f', target]);
  const removedBytes = (files - kept.size) * mib;
  const free = await freeBytes(target);
  for (const name of names) if (!kept.has(name)) await rm(name);
  // xfs gives back the blocks of removed files by and by, and a sync does not wait for that.
  while ((await freeBytes(target)) < free + 0.99 * removedBytes) await output(['sync', '-f', target]);
  await output(['sync', '-f', target]);
  return { removedBytes, kept };
}

async function freeBytes(target: string): Promise<number> {
  const { bfree, bsize } = await statfs(target);
  return bfree * bsize;
}

async function find(target: string): Promise<MountPoint> {
  const mounted = await MountPoint.find(target);
  if (mounted === undefined) throw new Error(`nothing is mounted on ${target}`);
  return mounted;
}

for (const type of types) {
  const trimming = testWith(root, program(`mkfs.${type}`), program('fstrim'));

  trimming(
    `what is removed from ${type} is given back, as much as fstrim gives, and nothing else`,
    async (t) => {
      const { target, usedBytes } = await filesystem(t, type);
      const { removedBytes, kept } = await fillAndRemove(target);
      const full = await usedBytes();
      const before = openDescriptors();
      const progress: TrimProgress[] = [];
      const report = await trim(await find(target), { onProgress: (each) => progress.push(each) });
      const trimmed = await usedBytes();
      t.true(
        full - trimmed > removedBytes * 0.9,
        `${full - trimmed} of ${removedBytes} bytes are free again`,
      );
      t.true(report.ranges > 1 && report.trimmedBytes >= BigInt(removedBytes));
      t.is(progress.at(-1)?.doneBytes, report.totalBytes);
      t.deepEqual(leakedDescriptors(before), []);
      await output(['fstrim', target]);
      t.true(
        trimmed - (await usedBytes()) < 0.02 * removedBytes,
        'fstrim finds next to nothing that is left',
      );
      for (const [name, bytes] of kept) t.true(bytes.equals(await readFile(name)), name);
    },
  );

  trimming(`an aborted trim of ${type} ends after its range and holds nothing`, async (t) => {
    const { target, unmount } = await filesystem(t, type);
    await fillAndRemove(target, 20);
    const stop = new AbortController();
    let ranges = 0;
    const onProgress = (): void => {
      ranges += 1;
      stop.abort(new Error('shutting down'));
    };
    await t.throwsAsync(trim(await find(target), { signal: stop.signal, onProgress }), {
      message: 'shutting down',
    });
    t.is(ranges, 1);
    await unmount();
  });

  trimming(
    `${type} can be unmounted in the middle of a trim, which leaves the filesystem above alone`,
    async (t) => {
      const { target, unmount } = await filesystem(t, type);
      const mounted = await find(target);
      let ranges = 0;
      const discarding = {
        layout: async () => ({ totalBytes: 1n << 30n }),
        discard: async (range: Range) => {
          ranges += 1;
          if (ranges === 2) await unmount();
          return mounted.discard(range);
        },
      };
      await t.throwsAsync(trimRanges(discarding), { code: 'ERR_TRIM_NOT_MOUNTED' });
      t.is(ranges, 2);
      t.is(await MountPoint.find(target), undefined);
    },
  );
}

const onExt4 = testWith(root, program('mkfs.ext4'));

onExt4('another mount on the same directory is not trimmed in place of the first', async (t) => {
  const first = await filesystem(t, 'ext4', 128 * mib);
  const mounted = await find(first.target);
  const second = await loopDevice(t, { sizeBytes: 128 * mib });
  await output(['mkfs.ext4', '-q', '-F', second.path]);
  await mounts.mount({ source: second.path, target: first.target, type: 'ext4' });
  try {
    await t.throwsAsync(trim(mounted), {
      code: 'ERR_TRIM_NOT_MOUNTED',
      message: /something else is mounted/,
    });
    t.like(await trim(await find(first.target)), { totalBytes: 128n << 20n });
  } finally {
    await mounts.unmount(first.target);
  }
});

onExt4('a mount that became read-only is skipped', async (t) => {
  const { target, device } = await filesystem(t, 'ext4', 128 * mib);
  const verdict = async () => eligibility((await MountPoint.find(target))?.live);
  t.deepEqual(await verdict(), { eligible: true, disks: [basename(device)] });
  await mounts.setOptions(target, { readOnly: true });
  t.like(await verdict(), { eligible: false, reason: 'read-only' });
  await t.throwsAsync(trim(await find(target)), { code: 'ERR_TRIM_READ_ONLY' });
});

onExt4('a device that takes no discards is named', async (t) => {
  // The one filesystem of every kernel whose files can't have holes punched.
  const memory = join(await temporaryDirectory(t), 'memory');
  await mounts.mount({ source: 'ramfs', target: memory, type: 'ramfs' });
  t.teardown(() => mounts.unmount(memory));
  const file = join(memory, 'disk.img');
  await writeFile(file, '');
  await truncate(file, 64 * mib);
  const { path } = await loopDevice(t, { file });
  await output(['mkfs.ext4', '-q', '-F', path]);
  const target = join(await temporaryDirectory(t), 'target');
  await mounts.mount({ source: path, target, type: 'ext4' });
  t.teardown(() => mounts.unmount(target));
  const mounted = await find(target);
  const message = `${basename(path)} takes no discards`;
  t.deepEqual(eligibility(mounted.live), { eligible: false, reason: 'device', message });
  await t.throwsAsync(trim(mounted), { code: 'ERR_TRIM_UNSUPPORTED' });
  await t.throwsAsync(trimRanges(mounted), { code: 'ERR_TRIM_UNSUPPORTED', message: /FITRIM: EOPNOTSUPP/ });
});

onExt4('a directory on which nothing is mounted is found to be none', async (t) => {
  const { target } = await filesystem(t, 'ext4', 128 * mib);
  await mkdir(join(target, 'below'));
  t.is(await MountPoint.find(join(target, 'below')), undefined);
  t.is(await MountPoint.find(join(target, 'nowhere')), undefined);
});

onExt4('a filesystem that is smaller than its device is trimmed to its end', async (t) => {
  const { path } = await loopDevice(t, { sizeBytes: 1024 * mib });
  await output(['mkfs.ext4', '-q', '-F', path, '300M']);
  const target = join(await temporaryDirectory(t), 'target');
  await mounts.mount({ source: path, target, type: 'ext4' });
  try {
    const report = await trim(await find(target));
    t.like(report, { totalBytes: 1n << 30n, doneBytes: 1n << 30n });
    t.true(report.ranges <= 5, `${report.ranges} ranges of 64 MiB in 300 MiB`);
  } finally {
    await mounts.unmount(target);
  }
});

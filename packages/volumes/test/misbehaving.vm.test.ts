import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { emptiness, type Inventory, probe, watch, wipe } from '@nodecore/block';
import { type Clock, systemClock } from '@nodecore/sys';
import {
  loopDevice,
  output,
  program,
  root,
  temporaryDirectory,
  testWith,
  virtualNode,
} from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import type { Effects } from '../src/effects.ts';
import type { VolumeSpec, VolumeStatus } from '../src/index.ts';
import { machineEffects } from '../src/machine-effects.ts';
import { manage, MemoryIntents, reach, until } from './real.ts';
import { encryption, type Mounted, passphrase, userSpec } from './specs.ts';
import { TroubledDisk } from './troubled-disk.ts';

const inNode = testWith(root, virtualNode, program('dmsetup'), program('mkfs.ext4'));
const mebibyte = 1n << 20n;
const machineUuid = '6a1ba0d8-0b0c-4ed4-b4a2-8f1a5d5b3b6e';

/** An encrypted ext4 of 64 MiB. */
function volume(mountRoot: string, name: string, path: string): Mounted {
  const spec = userSpec(name, `disk.dev_path == "${path}"`);
  const bytes = 64n * mebibyte;
  return {
    ...spec,
    filesystem: { type: 'ext4', label: spec.id, projectQuotaSupport: false },
    encryption: encryption(passphrase(0, 'right')),
    partition: {
      typeGuid: '0FC63DAF-8483-4772-8E79-3D69D8477DE4',
      minSize: bytes,
      maxSize: { kind: 'bytes', bytes, negative: false, text: '64MiB' },
      grow: false,
    },
    mount: { ...spec.mount, target: join(mountRoot, name) },
  };
}

function inClear(spec: Mounted): VolumeSpec {
  const { encryption: _encryption, ...rest } = spec;
  return rest;
}

/** What the disks are and have, now and after every change, until the signal. */
async function* watched(
  paths: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Inventory, void, undefined> {
  for await (const { disks, volumes } of watch({ deadlineMs: 1500, signal })) {
    const seen = disks.filter((disk) => paths.includes(disk.devPath));
    const isTheirs = ({ id, parent }: { readonly id: string; readonly parent: string }): boolean =>
      seen.some((disk) => id === disk.id || parent === disk.id);
    yield { disks: seen, volumes: volumes.filter(isTheirs) };
  }
}

/** Deadlines that pass in a tenth of their time: what hangs here hangs until the test says otherwise. */
const hasty: Clock = {
  now: () => systemClock.now(),
  sleep: (ms, signal) => systemClock.sleep(ms < 10_000 ? ms : ms / 10, signal),
};

type Change = 'addPartition' | 'formatLuks' | 'makeFilesystem' | 'openLuks';

function real(): Effects {
  const keyDerivation = { type: 'argon2id', iterations: 4, memoryKib: 32, parallel: 1 } as const;
  return machineEffects({ machineUuid, keyDerivation });
}

/** A change of this machine with something that happens right before it, when it is about the disk. */
function before(disk: string, kind: Change, happen: () => Promise<void>): Partial<Effects> {
  const change = real()[kind] as (path: string, options: unknown) => Promise<unknown>;
  const changed = async (path: string, options: unknown): Promise<unknown> => {
    if (path.startsWith(disk) || path.startsWith('/dev/mapper/luks2-u-slow')) await happen();
    return change(path, options);
  };
  return { [kind]: changed };
}

const statusOf = (all: readonly VolumeStatus[], id: string): VolumeStatus | undefined =>
  all.find((status) => status.id === id);

inNode(
  'a disk that hangs delays no other volume; its own says why, and is made when it answers',
  async (t) => {
    const mountRoot = await temporaryDirectory(t);
    const disk = await TroubledDisk.attach(t, 'nodecore-hanging', 128);
    const { path: healthy } = await loopDevice(t, { sizeBytes: 128 << 20 });
    const over = new AbortController();
    t.teardown(() => over.abort());
    await disk.hang();
    const specs = [volume(mountRoot, 'slow', disk.path), volume(mountRoot, 'one', healthy)].map(inClear);
    const manager = manage([], new MemoryIntents(), specs, {
      inventory: watched([disk.path, healthy], over.signal),
    });
    t.teardown(() => manager.close());
    t.teardown(() => disk.answer());
    const waiting = await until(manager, (all) => statusOf(all, 'u-one')?.phase === 'ready');
    t.is(waiting.get('u-slow')?.phase, 'waiting');
    await until(manager, (all) => /does not answer/.test(statusOf(all, 'u-slow')?.reason ?? ''));
    await disk.answer();
    await reach(manager, 'ready');
  },
);

inNode(
  'a disk that hangs while it is unlocked is named, holds back nobody in clear, and goes on',
  async (t) => {
    const mountRoot = await temporaryDirectory(t);
    const disk = await TroubledDisk.attach(t, 'nodecore-hanging', 128);
    const { path: healthy } = await loopDevice(t, { sizeBytes: 128 << 20 });
    const slow = volume(mountRoot, 'slow', disk.path);
    const file = join(slow.mount.target, 'file');
    const first = manage([disk.path], new MemoryIntents(), [slow]);
    t.teardown(() => first.close());
    await reach(first, 'ready');
    await writeFile(file, 'kept');
    await first.close();

    const hung = Promise.withResolvers<void>();
    const hang = before(disk.path, 'openLuks', async () => {
      await disk.hang();
      hung.resolve();
    });
    const options = { effects: { ...real(), ...hang }, clock: hasty };
    const next = manage([disk.path, healthy], new MemoryIntents(), [slow], options);
    t.teardown(() => next.close());
    t.teardown(() => disk.answer());
    await hung.promise;
    next.apply([slow, inClear(volume(mountRoot, 'one', healthy))]);
    // In use, the disk has its first sectors in the page cache, which would answer in its place.
    const why = /^\/dev\/loop\d+ does not answer; unlock goes on when it does$/;
    await until(
      next,
      (all) => why.test(statusOf(all, 'u-slow')?.reason ?? '') && statusOf(all, 'u-one')?.phase === 'ready',
    );
    await disk.answer();
    await reach(next, 'ready');
    t.is(await readFile(file, 'utf8'), 'kept');
  },
);

inNode('a disk that fails is named with the call, and tried again until it works', async (t) => {
  const mountRoot = await temporaryDirectory(t);
  const disk = await TroubledDisk.attach(t, 'nodecore-failing', 128);
  const wanted = volume(mountRoot, 'slow', disk.path);
  const attempts = { addPartition: 0, formatLuks: 0, makeFilesystem: 0 };
  const failOnce = (kind: keyof typeof attempts): Partial<Effects> =>
    before(disk.path, kind, async () => {
      attempts[kind] += 1;
      await (attempts[kind] === 1 ? disk.trouble('failing writes') : disk.heal());
    });
  const effects: Effects = {
    ...real(),
    ...failOnce('addPartition'),
    ...failOnce('formatLuks'),
    ...failOnce('makeFilesystem'),
  };
  const manager = manage([disk.path], new MemoryIntents(), [wanted], { effects, random: () => 0 });
  t.teardown(() => manager.close());
  const told = new Map<number, VolumeStatus>();
  for await (const [status] of manager.changes()) {
    if (status?.phase === 'ready') break;
    if (status?.phase === 'failed') told.set(status.nextRetryAt ?? 0, status);
    // The disk works again by the time that it is tried again.
    if (status?.phase === 'failed') await disk.heal();
  }
  t.log([...told.values()].map(({ errorMessage }) => errorMessage).join('\n'));
  const codes = [...told.values()].map(({ errorCode, permanence }) => [errorCode, permanence]);
  t.deepEqual(codes, [
    ['ERR_BLOCK_FAILED', 'transient'],
    ['ERR_LUKS_FAILED', 'transient'],
    ['ERR_BLOCK_FAILED', 'transient'],
  ]);
  for (const { errorMessage } of told.values())
    t.regex(errorMessage ?? '', /\/dev\/(loop\d+|mapper\/luks2-u-slow)/);
  t.is(await output(['findmnt', '--noheadings', '--output', 'FSTYPE', wanted.mount.target]), 'ext4\n');
});

inNode('of a disk that can not be read nothing is known, and nothing is written to it', async (t) => {
  const mountRoot = await temporaryDirectory(t);
  const disk = await TroubledDisk.attach(t, 'nodecore-unreadable', 128);
  await writeFile(disk.path, 'something that nobody knows');
  await output(['sync', disk.path]);
  const bytes = await disk.digest();
  await disk.trouble('failing');
  const manager = manage([disk.path], new MemoryIntents(), [inClear(volume(mountRoot, 'slow', disk.path))]);
  t.teardown(() => manager.close());
  const why = /^no disk can be used: loop\d+: .*EIO/;
  await until(manager, (all) => why.test(statusOf(all, 'u-slow')?.reason ?? ''));
  await manager.stop();
  await disk.heal();
  t.is(await disk.digest(), bytes);
});

/** A SCSI disk that takes discards and keeps the data. */
async function lyingDisk(t: ExecutionContext): Promise<string> {
  const watching = watch();
  t.teardown(() => watching.return?.());
  t.teardown(() => output(['modprobe', '--remove', 'scsi_debug']));
  await output(['modprobe', 'scsi_debug', 'dev_size_mb=128', 'lbpu=1', 'lbprz=0']);
  for await (const { disks } of watching) {
    const found = disks.find(({ model, error }) => model === 'scsi_debug' && error === undefined);
    if (found !== undefined) return found.devPath;
  }
  throw new Error('the watch ended');
}

inNode(
  'a disk that keeps what is discarded is blanked all the same, and what is made on it is sound',
  async (t) => {
    const path = await lyingDisk(t);
    await output(['mkfs.ext4', '-q', '-L', 'old', path]);
    await output(['blkdiscard', '--force', path]);
    t.like(await probe(path), { name: 'ext4', label: 'old' }, 'it lies');
    await wipe.content(path, { method: 'fast' });
    t.deepEqual(await emptiness(path), { empty: true });

    // A half-made volume in the midst of old filesystems.
    await output(['mkfs.ext4', '-q', '-L', 'old', path]);
    await wipe.signatures(path);
    const table = 'label: gpt\nstart=2MiB, size=64MiB, name=u-slow, attrs="GUID:56"\n';
    await output(['sfdisk', '--quiet', path], { input: table });
    await output(['mkfs.ext4', '-q', '-L', 'old', `${path}1`]);
    const mountRoot = await temporaryDirectory(t);
    const manager = manage([path], new MemoryIntents(), [inClear(volume(mountRoot, 'slow', path))]);
    t.teardown(() => manager.close());
    await reach(manager, 'ready');
    await manager.close();
    t.like(await probe(`${path}1`), { name: 'ext4', label: 'u-slow' });
    await output(['e2fsck', '-fn', `${path}1`]);
  },
);

inNode('a disk that keeps what is overwritten never counts as wiped', async (t) => {
  const disk = await TroubledDisk.attach(t, 'nodecore-keeping', 16);
  await writeFile(disk.path, Buffer.alloc(16 << 20, 'kept'));
  await output(['sync', disk.path]);
  await disk.trouble('dropping writes');
  for (const method of ['fast', 'zeroes'] as const) {
    const refused = { code: 'ERR_BLOCK_NOT_WIPED', message: /byte 0 is not zero after it was written so/ };
    await t.throwsAsync(wipe.content(disk.path, { method }), refused, method);
  }
  await disk.heal();
  await wipe.content(disk.path, { method: 'zeroes' });
  t.deepEqual(await emptiness(disk.path), { empty: true });
});

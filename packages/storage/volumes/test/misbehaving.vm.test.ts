import { readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { emptiness, type Inventory, probe, watch, wipe } from '@nodecore/block';
import { type Clock, systemClock } from '@nodecore/waiting';
import {
  loopDevice,
  output,
  program,
  root,
  temporaryDirectory,
  testWith,
  virtualNode,
} from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import type { Effects } from '../src/effects.ts';
import type { VolumeSpec, VolumeStatus } from '../src/index.ts';
import { machineEffects } from '../src/machine/machine-effects.ts';
import { manage, MemoryIntents, reach, until } from './real.ts';
import { encryption, type Mounted, passphrase, userSpec } from './specs.ts';
import { TroubledDisk } from './troubled-disk.ts';

const inNode = testWith(root, virtualNode, program('dmsetup'), program('mkfs.ext4'));
/* Belongs to the long campaign: its halves are in the default run, in manager.test.ts and in block's mounts.root.test.ts. */
const campaign: typeof inNode = process.env['FAULT_CAMPAIGN'] === 'long' ? inNode : test.serial.skip;
const mebibyte = 1n << 20n;
const machineUuid = '6a1ba0d8-0b0c-4ed4-b4a2-8f1a5d5b3b6e';

/** An encrypted ext4 of 64 MiB. */
function volume(mountRoot: string, name: string, path: string): Mounted {
  return volumeOn(mountRoot, name, `disk.dev_path == "${path}"`, 64);
}

function volumeOn(mountRoot: string, name: string, selector: string, sizeMiB: number): Mounted {
  const spec = userSpec(name, selector);
  const bytes = BigInt(sizeMiB) * mebibyte;
  return {
    ...spec,
    filesystem: { type: 'ext4', label: spec.id, projectQuotaSupport: false },
    encryption: encryption(passphrase(0, 'right')),
    partition: {
      typeGuid: '0FC63DAF-8483-4772-8E79-3D69D8477DE4',
      minSize: bytes,
      maxSize: { kind: 'bytes', bytes, negative: false, text: `${sizeMiB}MiB` },
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

type Change = 'formatLuks' | 'openLuks';

function real(): Effects {
  const keyDerivation = { type: 'argon2id', iterations: 4, memoryKib: 32, parallel: 1 } as const;
  return machineEffects({ machineUuid, keyDerivation });
}

/** A change of this machine with something that happens right before it, when it is about the disk. */
function before(disk: string, kind: Change, happen: () => Promise<void>): Partial<Effects> {
  const change = real()[kind] as (path: string, options: unknown) => Promise<unknown>;
  const changed = async (path: string, options: unknown): Promise<unknown> => {
    if (path.startsWith(disk)) await happen();
    return change(path, options);
  };
  return { [kind]: changed };
}

const statusOf = (all: readonly VolumeStatus[], id: string): VolumeStatus | undefined =>
  all.find((status) => status.id === id);

inNode(
  'a disk that hangs or fails delays no other volume; its own says why, and goes on when the disk is well',
  async (t) => {
    const mountRoot = await temporaryDirectory(t);
    const disk = await TroubledDisk.attach(t, 'nodecore-troubled', 128);
    const { path: healthy } = await loopDevice(t, { sizeBytes: 256 << 20 });
    const slow = volume(mountRoot, 'slow', disk.path);
    const one = inClear(volume(mountRoot, 'one', healthy));
    const intents = new MemoryIntents();

    // It hangs from the beginning.
    const over = new AbortController();
    t.teardown(() => over.abort());
    await disk.hang();
    let failed = false;
    const fail = before(disk.path, 'formatLuks', async () => {
      if (!failed) await disk.trouble('failing writes');
    });
    const first = manage([], intents, [slow, one], {
      inventory: watched([disk.path, healthy], over.signal),
      effects: { ...real(), ...fail },
      random: () => 0,
    });
    t.teardown(() => first.close());
    t.teardown(() => disk.answer());
    const waiting = await until(first, (all) => statusOf(all, 'u-one')?.phase === 'ready');
    t.is(waiting.get('u-slow')?.phase, 'waiting');
    await until(first, (all) => /does not answer/.test(statusOf(all, 'u-slow')?.reason ?? ''));

    // It answers, and takes no writes in the midst of the work.
    await disk.answer();
    const refused = await until(first, (all) => statusOf(all, 'u-slow')?.errorCode !== undefined);
    t.like(refused.get('u-slow'), { errorCode: 'ERR_LUKS_FAILED', permanence: 'transient' });
    t.regex(refused.get('u-slow')?.errorMessage ?? '', /^crypt_format on \/dev\/loop\d+p1: EIO$/);
    failed = true;
    await disk.heal();
    await reach(first, 'ready');
    const file = join(slow.mount.target, 'file');
    await writeFile(file, 'kept');
    await first.close();

    // It hangs within libcryptsetup.
    const hung = Promise.withResolvers<void>();
    const hang = before(disk.path, 'openLuks', async () => {
      await disk.hang();
      hung.resolve();
    });
    const options = { effects: { ...real(), ...hang }, clock: hasty };
    const next = manage([disk.path, healthy], intents, [slow], options);
    t.teardown(() => next.close());
    t.teardown(() => disk.answer());
    await hung.promise;
    next.apply([slow, one, inClear(volume(mountRoot, 'two', healthy))]);
    // In use, the disk has its first sectors in the page cache, which would answer in its place.
    const why = /^\/dev\/loop\d+ does not answer; unlock goes on when it does$/;
    await until(
      next,
      (all) =>
        why.test(statusOf(all, 'u-slow')?.reason ?? '') &&
        ['u-one', 'u-two'].every((id) => statusOf(all, id)?.phase === 'ready'),
    );
    await disk.answer();
    await reach(next, 'ready');
    t.is(await readFile(file, 'utf8'), 'kept');
  },
);

inNode('of a disk that can not be read nothing is known, and nothing is written to it', async (t) => {
  const mountRoot = await temporaryDirectory(t);
  const disk = await TroubledDisk.attach(t, 'nodecore-unreadable', 16);
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
    t.like(await emptiness(path), { empty: true });

    // A volume in the midst of old filesystems, in free space.
    await output(['mkfs.ext4', '-q', '-L', 'old', path]);
    await wipe.signatures(path);
    await output(['sfdisk', '--quiet', path], { input: 'label: gpt\nstart=1MiB, size=64MiB\n' });
    await output(['mkfs.ext4', '-q', '-L', 'old', `${path}1`]);
    await output(['sfdisk', '--quiet', '--delete', path]);
    const mountRoot = await temporaryDirectory(t);
    const manager = manage([path], new MemoryIntents(), [inClear(volume(mountRoot, 'slow', path))]);
    t.teardown(() => manager.close());
    await reach(manager, 'ready');
    await manager.close();
    t.like(await probe(`${path}1`), { name: 'ext4', label: 'u-slow' });
    await output(['e2fsck', '-fn', `${path}1`]);
  },
);

/** What there is of SCSI disks without hardware, now and after every change. */
async function* simulated(signal: AbortSignal): AsyncGenerator<Inventory, void, undefined> {
  for await (const { disks, volumes } of watch({ signal })) {
    const seen = disks.filter(({ model }) => model === 'scsi_debug');
    yield {
      disks: seen,
      volumes: volumes.filter(({ id, parent }) => seen.some((one) => one.id === (parent || id))),
    };
  }
}

campaign(
  'a disk that is pulled is told of; its volumes are given up, and found when it is back',
  async (t) => {
    const path = await lyingDisk(t);
    const mountRoot = await temporaryDirectory(t);
    const at = (name: string): Mounted => volumeOn(mountRoot, name, 'disk.model == "scsi_debug"', 48);
    const specs = [at('locked'), inClear(at('open'))];
    const over = new AbortController();
    t.teardown(() => over.abort());
    const manager = manage([], new MemoryIntents(), specs, { inventory: simulated(over.signal) });
    t.teardown(() => manager.close());
    await reach(manager, 'ready');
    const files = ['locked', 'open'].map((name) => join(mountRoot, name, 'file'));
    for (const file of files) await writeFile(file, 'kept');
    await output(['sync']);

    const id = path.slice('/dev/'.length);
    const [host = ''] = (await readlink(`/sys/block/${id}/device`)).split('/').at(-1)?.split(':') ?? [];
    await writeFile(`/sys/block/${id}/device/delete`, '1');
    const absent = /^\/dev\/sd[a-z]+\d is not here any more/;
    await until(manager, (all) =>
      all.every(({ phase, reason }) => phase === 'ready' && absent.test(reason ?? '')),
    );

    manager.apply([]);
    await until(manager, (all) => all.length === 0);
    t.notRegex(await readFile('/proc/mounts', 'utf8'), new RegExp(mountRoot));
    t.notRegex(await output(['dmsetup', 'ls']), /luks2-u-locked/);

    await writeFile(`/sys/class/scsi_host/host${host}/scan`, '- - -');
    manager.apply(specs);
    await reach(manager, 'ready');
    for (const file of files) t.is(await readFile(file, 'utf8'), 'kept');
  },
);

inNode('a disk that keeps what is overwritten never counts as wiped', async (t) => {
  const disk = await TroubledDisk.attach(t, 'nodecore-keeping', 8);
  await writeFile(disk.path, Buffer.alloc(8 << 20, 'kept'));
  await output(['sync', disk.path]);
  await disk.trouble('dropping writes');
  for (const method of ['fast', 'zeroes'] as const) {
    const refused = { code: 'ERR_BLOCK_NOT_WIPED', message: /byte 0 is not zero after it was written so/ };
    await t.throwsAsync(wipe.content(disk.path, { method }), refused, method);
  }
  await disk.heal();
  await wipe.content(disk.path, { method: 'zeroes' });
  t.like(await emptiness(disk.path), { empty: true });
});

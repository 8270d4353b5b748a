import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { availableParallelism, release } from 'node:os';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';

import { withDiskLock } from '../devices/disk-lock.ts';
import { openUnused, requireEmpty } from '../proof/emptiness.ts';
import { BlockError } from '../errors.ts';
import {
  type FormatFacts,
  type XfsSupport,
  btrfsArguments,
  ext4Arguments,
  profileFor,
  swapArguments,
  xfsArguments,
} from './commands.ts';
import { probe } from '../content/probe.ts';
import { runTool, succeeds, type Tool } from './tool.ts';

export { check } from './check.ts';

/** What can be made on a device: filesystems, and swap space. */
export type FilesystemType = 'xfs' | 'ext4' | 'btrfs' | 'swap';

export type FormatOptions = {
  readonly type: FilesystemType;
  /** At most 12 bytes on xfs, 16 on ext4, 255 on btrfs, 15 on swap. */
  readonly label?: string;
  readonly xfsMinAllocationGroupSize?: bigint;
  /** The disk below rotates; taken from the device unless given, which a mapping does not always know. */
  readonly rotational?: boolean;
  /**
   * The caller has wiped it right before, or opened a fresh mapping on it, whose middle reads as noise: what is left between
   * both ends is nobody's, and only these and signatures count.
   */
  readonly wiped?: boolean;
  /** Random unless given. */
  readonly uuid?: string;
  /** Whether the disk is told first that nothing on it is needed; yes unless given. */
  readonly discard?: boolean;
  readonly signal?: AbortSignal;
};

export type GrowFilesystemOptions = {
  readonly type: Exclude<FilesystemType, 'swap'>;
  /** Where it is mounted: all of them grow while they are in use. */
  readonly target: string;
  readonly signal?: AbortSignal;
};

const mkfsXfs: Tool = { name: 'mkfs.xfs', debian: 'xfsprogs' };
const growXfs: Tool = { name: 'xfs_growfs', debian: 'xfsprogs' };
const mkfsExt4: Tool = { name: 'mkfs.ext4', debian: 'e2fsprogs' };
const resizeExt4: Tool = { name: 'resize2fs', debian: 'e2fsprogs' };
const mkfsBtrfs: Tool = { name: 'mkfs.btrfs', debian: 'btrfs-progs' };
const growBtrfs: Tool = { name: 'btrfs', debian: 'btrfs-progs' };
const makeSwap: Tool = { name: 'mkswap', debian: 'util-linux' };

const xfsProfiles = '/usr/share/xfsprogs/mkfs';

/**
 * Makes a filesystem on a device that is proven empty right before, while nobody else may change the disk. DESTROYS what
 * is on the device, of which the proof says that there is nothing.
 *
 * An abort ends the program and waits for it; what it left is not a filesystem then. Needs root for block devices.
 *
 * @throws {BlockError} `ERR_BLOCK_NOT_EMPTY` with every reason, `ERR_BLOCK_FAILED` with what the program said.
 */
export function format(path: string, options: FormatOptions): Promise<{ readonly uuid: string }> {
  const { type, signal } = options;
  return withDiskLock(
    path,
    async () => {
      const facts = await proveEmpty(path, options);
      await make(type, facts, signal);
      const made = await probe(path);
      if (made.name === type && made.uuid === facts.uuid) return { uuid: facts.uuid };
      throw new BlockError(
        'ERR_BLOCK_FAILED',
        path,
        `${path}: libblkid sees ${made.name || 'nothing'} after ${type} was made`,
      );
    },
    options,
  );
}

/** Makes a mounted filesystem as large as its device. Needs root. */
export async function grow(path: string, options: GrowFilesystemOptions): Promise<void> {
  const { type, target, signal } = options;
  switch (type) {
    case 'xfs':
      await runTool(growXfs, ['-d', target], path, signal);
      break;
    case 'ext4':
      await runTool(resizeExt4, [path], path, signal);
      break;
    case 'btrfs':
      await runTool(growBtrfs, ['filesystem', 'resize', 'max', target], path, signal);
      break;
  }
}

async function make(
  type: FilesystemType,
  facts: FormatFacts,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { path } = facts;
  switch (type) {
    case 'xfs':
      await runTool(mkfsXfs, xfsArguments(facts, await xfsSupport(facts)), path, signal);
      break;
    case 'ext4':
      await runTool(mkfsExt4, ext4Arguments(facts), path, signal);
      break;
    case 'btrfs':
      await runTool(mkfsBtrfs, btrfsArguments(facts), path, signal);
      break;
    case 'swap':
      await runTool(makeSwap, swapArguments(facts), path, signal);
      break;
  }
}

/** The claim ends with this call, because mkfs makes its own; the lock on the disk holds on. */
async function proveEmpty(path: string, options: FormatOptions): Promise<FormatFacts> {
  const {
    label,
    rotational,
    xfsMinAllocationGroupSize,
    uuid = randomUUID(),
    discard = true,
    signal,
  } = options;
  await using device = await openUnused(path);
  await requireEmpty(device, { signal, depth: options.wiped === true ? 'ends' : 'all' });
  const diskId = device.kernel?.diskId;
  return {
    path,
    uuid,
    discard,
    sizeBytes: device.sizeBytes,
    rotational:
      rotational ?? (diskId !== undefined && device.sysfs.flag('block', diskId, 'queue', 'rotational')),
    cpus: availableParallelism(),
    ...(label === undefined ? {} : { label }),
    ...(xfsMinAllocationGroupSize === undefined ? {} : { xfsMinAllocationGroupSize }),
  };
}

/**
 * The most that the installed mkfs.xfs takes, found out by dry runs: older ones know no concurrency, and some versions
 * reject the profiles that come with them. The choice is made once, by the first device.
 */
async function xfsSupport(facts: FormatFacts): Promise<XfsSupport> {
  support ??= await firstSupport(facts);
  return support;
}

let support: XfsSupport | undefined;

async function firstSupport(facts: FormatFacts): Promise<XfsSupport> {
  const name = profileFor(release(), await profiles());
  // A rotating disk would not ask for concurrency, and the answer is for all that come after it.
  const asking = { ...facts, rotational: false };
  const profile = name === undefined ? {} : { profile: join(xfsProfiles, name) };
  for (const candidate of [
    { concurrency: true, ...profile },
    { concurrency: false, ...profile },
    { concurrency: true },
  ]) {
    if (await succeeds(mkfsXfs, ['-N', ...xfsArguments(asking, candidate)])) return candidate;
  }
  return { concurrency: false };
}

async function profiles(): Promise<string[]> {
  try {
    return await readdir(xfsProfiles);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

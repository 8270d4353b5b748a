import { join, relative } from 'node:path/posix';

import type { Mount } from '@nodecore/block';

import type { Observations } from '../effects.ts';
import type { TargetFacts } from '../facts/facts.ts';
import { isSameDevice } from '../disks/same-device.ts';
import { isOnImage, type MountFlags, useOf, type VolumeSpec } from '../spec.ts';

/**
 * How the volume is used now: by whatever is mounted on its target, or as swap space. What an image has there until the volume comes,
 * a tmpfs, is nothing: it lasts until the next boot, and is there again when the volume goes.
 */
export async function inspectTarget(
  spec: VolumeSpec,
  mountLocation: string | undefined,
  effects: Observations,
  known?: readonly Mount[],
): Promise<TargetFacts | 'free'> {
  const { mount: wanted } = spec;
  if (wanted === undefined) {
    return useOf(spec) === 'swap' ? inspectSwap(mountLocation, effects) : 'free';
  }
  const mounts = known ?? (await effects.mounts());
  const there = mounts.filter((one) => one.target === wanted.target);
  const mount = there.at(-1); // the topmost is what is seen
  if (mount === undefined || (isOnImage(spec) && there.every(({ type }) => type === 'tmpfs'))) return 'free';
  const ours = await isOurs(spec, mount, mounts, { mountLocation, effects });
  return { source: mount.source, ours, flags: mountFlags(mount.options) };
}

/**
 * Whether a mount is one of a block device. btrfs can span several devices, so that its mounts have a number of their own
 * and only the path of one of them.
 */
export async function isMountOf(
  mount: Mount,
  device: string,
  effects: Pick<Observations, 'deviceNumber'>,
): Promise<boolean> {
  return isMountOfNumber(mount, { device, number: await effects.deviceNumber(device) }, effects);
}

/** The same of a device whose number is known; undefined: there is none. */
export async function isMountOfNumber(
  mount: Mount,
  { device, number }: { readonly device: string; readonly number: string | undefined },
  effects: Pick<Observations, 'deviceNumber'>,
): Promise<boolean> {
  // Of a disk that was pulled the mount remains, with the name of the device, which no other gets as long as it is mounted.
  if (number === undefined) return mount.source === device;
  if (mount.deviceNumber === number) return true;
  return mount.type === 'btrfs' && isSameDevice(mount.source, device, effects);
}

type Around = { readonly mountLocation: string | undefined; readonly effects: Observations };

async function isOurs(
  { type, tag }: VolumeSpec,
  mount: Mount,
  mounts: readonly Mount[],
  { mountLocation, effects }: Around,
): Promise<boolean> {
  if (type === 'directory') return isBoundToItself(mount, mounts);
  if (type === 'external') return mount.type === 'virtiofs' && mount.source === tag;
  return mountLocation !== undefined && isMountOf(mount, mountLocation, effects);
}

/** Whether a mount shows the directory that would be seen there without it. */
function isBoundToItself(mount: Mount, mounts: readonly Mount[]): boolean {
  const below = mounts
    .filter(({ target }) => target !== mount.target && isWithin(mount.target, target))
    .reduce<Mount | undefined>(
      (best, one) => (best && best.target.length > one.target.length ? best : one),
      undefined,
    );
  if (below?.deviceNumber !== mount.deviceNumber) return false;
  return mount.root === join(below.root, relative(below.target, mount.target));
}

function isWithin(path: string, directory: string): boolean {
  return directory === '/' || path.startsWith(`${directory}/`);
}

async function inspectSwap(
  location: string | undefined,
  effects: Observations,
): Promise<TargetFacts | 'free'> {
  if (location === undefined) return 'free';
  for (const source of await effects.swaps()) {
    if (await isSameDevice(source, location, effects)) return { source, ours: true, flags: mountFlags([]) };
  }
  return 'free';
}

/** From the options of proc_pid_mountinfo(5). */
function mountFlags(options: readonly string[]): MountFlags {
  const has = (name: string): boolean => options.includes(name);
  return {
    readOnly: has('ro'),
    nosuid: has('nosuid'),
    nodev: has('nodev'),
    noexec: has('noexec'),
    noatime: has('noatime'),
  };
}

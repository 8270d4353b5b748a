import type { Inventory } from '@nodecore/block';
import type { ActiveMapping } from '@nodecore/luks';

import type { Effects } from '../effects.ts';
import { VolumeError } from '../errors.ts';
import type { DeviceFacts, Found } from '../facts/facts.ts';
import { inspect } from '../observe/inspect.ts';
import { carriersOf } from '../observe/locate.ts';
import { markOf } from '../facts/provenance.ts';
import { isSameDevice } from '../disks/same-device.ts';
import { hasDevice, mappingName, type VolumeSpec } from '../spec.ts';
import type { Surroundings } from './surroundings.ts';
import { inspectTarget, isMountOf } from '../observe/target.ts';
import type { Workshop } from '../work.ts';

export type Closing = {
  readonly spec: VolumeSpec;
  readonly found: Found | undefined;
  readonly mountLocation: string | undefined;
};

/**
 * Unmounts a volume, or takes it out of use as swap space, and locks it. The data stays; what is not ours is left alone. Again
 * is fine.
 *
 * What an earlier process mounted counts, too, however far this one has come: a volume that failed before its content was
 * looked at is as much in use as before.
 */
export async function closeVolume(
  closing: Closing,
  workshop: Workshop,
  surroundings: Pick<Surroundings, 'inventory' | 'systemDisk'>,
): Promise<void> {
  const { spec, found, mountLocation } = closing;
  const { effects } = workshop;
  const devices = new Set(found === undefined ? [] : [found.devPath]);
  for (const path of carriers(spec, workshop, surroundings)) devices.add(path);
  const mapping = await openMapping(closing, [...devices], effects);
  const locations = [mountLocation, ...devices, mapping?.path].filter((path) => path !== undefined);
  await endUse(spec, locations, effects);
  if (mapping !== undefined) await effects.closeLuks(mapping.name);
  // Its disk was pulled: what is open under the name leads nowhere.
  else if (spec.encryption !== undefined && found !== undefined && (await isGone(found.devPath, effects)))
    await effects.closeLuks(mappingName(spec.id));
}

/** Devices that carry the volume by what was discovered last. */
function carriers(
  spec: VolumeSpec,
  { intents, isVolume }: Workshop,
  surroundings: Pick<Surroundings, 'inventory' | 'systemDisk'>,
): readonly string[] {
  const inventory = surroundings.inventory();
  if (inventory === undefined || !hasDevice(spec)) return [];
  const record = intents.get(spec.id);
  return carriersOf(spec, { inventory, systemDisk: surroundings.systemDisk(), record, isVolume });
}

/** The mapping under the volume's name, if it lies on one of these devices; also where the document no longer encrypts it. */
async function openMapping(
  { spec, found }: Closing,
  devices: readonly string[],
  effects: Effects,
): Promise<ActiveMapping | undefined> {
  const name = mappingName(spec.id);
  // A host without device-mapper has volumes in clear all the same, and is not asked for mappings.
  const mayBeOpen = spec.encryption !== undefined && found !== undefined;
  if (!mayBeOpen && (!hasDevice(spec) || (await isGone(`/dev/mapper/${name}`, effects)))) return undefined;
  const mapping = await effects.mapping(name);
  if (mapping === undefined) return undefined;
  for (const device of devices) if (await isSameDevice(mapping.device, device, effects)) return mapping;
  return undefined;
}

async function endUse(spec: VolumeSpec, locations: readonly string[], effects: Effects): Promise<void> {
  const uses = await Promise.all(
    (locations.length === 0 ? [undefined] : locations).map((at) => inspectTarget(spec, at, effects)),
  );
  const ours = uses.find((use) => use !== 'free' && use.ours);
  if (ours !== undefined && ours !== 'free') {
    if (spec.mount === undefined) await effects.swapOff(ours.source);
    else await effects.unmount(spec.mount.target);
  } else {
    await refuseCovered(spec, locations, effects);
  }
}

/** A mount of ours with another one on top of it can not be taken away, and is not given up for that. */
async function refuseCovered(
  spec: VolumeSpec,
  locations: readonly string[],
  effects: Effects,
): Promise<void> {
  const there = (await effects.mounts()).filter(({ target }) => target === spec.mount?.target);
  const top = there.pop();
  for (const mount of there)
    for (const location of locations)
      if (await isMountOf(mount, location, effects))
        throw new VolumeError(
          'ERR_VOLUME_TARGET_TAKEN',
          spec.id,
          `${top?.source} was mounted over ${mount.target}: unmount it, and the volume is closed`,
          'transient',
        );
}

async function isGone(path: string, effects: Effects): Promise<boolean> {
  return (await effects.deviceNumber(path)) === undefined;
}

export type Forgetting = Workshop & { readonly inventory: Inventory | undefined };

/**
 * Gives up what a volume was given, because its document is gone. A finished volume is found again by what is on
 * it. A half-made disk is blanked first, if it still is one: nothing but its record says that no data is on it.
 */
export async function forget(
  { spec, found }: Closing,
  { inventory, ...workshop }: Forgetting,
): Promise<void> {
  const { intents, effects, claims, reader } = workshop;
  const record = intents.get(spec.id);
  const halfMade = record?.type === 'disk' && record.phase === 'constructing';
  // Looked at again: kernel names change hands, and the disk may be in another use by now.
  const device =
    halfMade && found !== undefined && inventory !== undefined
      ? await inspect({ spec, found, inventory, record, isInUse: false }, reader)
      : 'gone';
  if (device !== 'gone' && isBegun(device)) {
    const { devPath, disk } = device.found;
    const mark = markOf(spec.id, device.found, record);
    if (mark !== undefined) {
      await effects.restartMaking(devPath, { mark, sequence: disk.sequence });
      await effects.endMaking(devPath, { mark, sequence: disk.sequence });
    }
  }
  if (record !== undefined && (!halfMade || device !== 'gone')) await intents.remove(spec.id);
  claims.release(spec.id);
}

/** Nothing is on a half-made disk but what a run of ours has begun: it carries its mark. */
function isBegun({ found, underConstruction, mapping, mountedAt, provenance }: DeviceFacts): boolean {
  const isUnused = mapping === undefined && mountedAt.length === 0;
  return found.partition === undefined && underConstruction && isUnused && provenance === 'begun';
}

import type { Inventory } from '@nodecore/block';

import type { DeviceFacts, Found } from './facts.ts';
import { inspect } from './inspect.ts';
import { isForeign } from './plan-construction.ts';
import { isSameDevice } from './same-device.ts';
import { mappingName, type VolumeSpec } from './spec.ts';
import { inspectTarget } from './target.ts';
import type { Workshop } from './work.ts';

export type Closing = {
  readonly spec: VolumeSpec;
  readonly found: Found | undefined;
  readonly mountLocation: string | undefined;
};

/** Unmounts a volume, or takes it out of use as swap space, and locks it. The data stays; what is not ours is left alone. Again is fine. */
export async function closeVolume(
  { spec, found, mountLocation }: Closing,
  workshop: Workshop,
): Promise<void> {
  const { effects } = workshop;
  const target = await inspectTarget(spec, mountLocation, effects);
  if (target !== 'free' && target.ours) {
    if (spec.mount === undefined) await effects.swapOff(target.source);
    else await effects.unmount(spec.mount.target);
  }
  if (spec.encryption === undefined || found === undefined) return;
  const name = mappingName(spec.id);
  if ((await effects.deviceNumber(found.devPath)) === undefined) {
    await effects.closeLuks(name); // its disk was pulled: what is open under the name leads nowhere
    return;
  }
  const mapping = await effects.mapping(name);
  if (mapping !== undefined && (await isSameDevice(mapping.device, found.devPath, effects)))
    await effects.closeLuks(mapping.name);
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
  const { intents, effects, claims, look } = workshop;
  const record = intents.get(spec.id);
  const halfMade = record?.type === 'disk' && record.phase === 'constructing';
  // Looked at again: kernel names change hands, and somebody may have put the disk to another use.
  const device =
    halfMade && found !== undefined && inventory !== undefined
      ? await inspect({ spec, found, inventory, record, isInUse: false }, look)
      : 'gone';
  if (device !== 'gone' && isStillBlank(spec, device)) {
    const { devPath, disk } = device.found;
    await effects.wipe(devPath, { sequence: disk.sequence });
  }
  if (record !== undefined && (!halfMade || device !== 'gone')) await intents.remove(spec.id);
  claims.release(spec.id);
}

/** Nothing is on a half-made disk but what a run of ours has begun. */
function isStillBlank(spec: VolumeSpec, device: DeviceFacts): boolean {
  const { found, underConstruction, mapping, mountedAt, content } = device;
  const isUnused = mapping === undefined && mountedAt.length === 0;
  return found.partition === undefined && underConstruction && isUnused && !isForeign(spec, content);
}

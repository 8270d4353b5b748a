import type { Found } from './facts.ts';
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
  const mapping = await effects.mapping(mappingName(spec.id));
  if (mapping !== undefined && (await isSameDevice(mapping.device, found.devPath, effects)))
    await effects.closeLuks(mapping.name);
}

/**
 * Gives up what a volume was given, because its document is gone. A finished volume is found again by what is on
 * it. A half-made disk is blanked first: nothing but its record says that no data is on it.
 */
export async function forget({ spec, found }: Closing, workshop: Workshop): Promise<void> {
  const { intents, effects, claims } = workshop;
  const record = intents.get(spec.id);
  const halfMade = record?.type === 'disk' && record.phase === 'constructing';
  if (halfMade && found !== undefined) await effects.wipe(found.devPath);
  if (record !== undefined && (!halfMade || found !== undefined)) await intents.remove(spec.id);
  claims.release(spec.id);
}

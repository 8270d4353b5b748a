import type { Encryption, KeyEntry } from '@nodecore/config';

import type { Facts } from '../facts/facts.ts';
import type { VolumeSpec } from '../spec.ts';

/**
 * What differs between two specs of a volume that can't be changed while it is in use. Names of document fields. Keys
 * are not among them: keyslots change while the volume is open. Nor are sizes: a volume grows while it is in use, and
 * never shrinks.
 */
export function restartReasons(before: VolumeSpec, after: VolumeSpec): readonly string[] {
  const changes: readonly (readonly [string, boolean])[] = [
    ['volumeType', before.type !== after.type],
    ['filesystem', !same(before.filesystem, after.filesystem)],
    ['encryption', !same(cipher(before.encryption), cipher(after.encryption))],
    ['discovery', before.volumes?.text !== after.volumes?.text],
    ['mount.virtiofs', before.tag !== after.tag],
    ['mount', !same({ ...before.mount, flags: [] }, { ...after.mount, flags: [] })],
  ];
  return changes.filter(([, changed]) => changed).map(([name]) => name);
}

/** A spec of a volume in use, with those settings of the next one that can be changed on it. */
export function changedInUse(spec: VolumeSpec, next: VolumeSpec): VolumeSpec {
  const { keepKeyslots: _, ...kept } = spec;
  const { partition } = next;
  const { mount } = spec;
  const changed: VolumeSpec = {
    ...kept,
    ...(kept.partition === undefined || partition === undefined ? {} : { partition }),
    ...(mount === undefined || next.mount === undefined
      ? {}
      : { mount: { ...mount, flags: next.mount.flags } }),
  };
  const { encryption } = spec;
  if (encryption === undefined || next.encryption === undefined) return changed;
  const { keys } = next.encryption;
  return {
    ...changed,
    encryption: encryption.keys === keys ? encryption : { ...encryption, keys },
    ...(next.previousKeys === undefined ? {} : { previousKeys: next.previousKeys }),
    ...(next.keepKeyslots === undefined ? {} : { keepKeyslots: next.keepKeyslots }),
  };
}

/** What of the configuration an open mapping does not have, and gets with the next boot. */
export function rebootReason(device: Facts['device']): string | undefined {
  const difference = typeof device === 'object' ? device.mapping?.difference : undefined;
  return difference === undefined ? undefined : `needs a reboot: the mapping ${difference}`;
}

/** None for a volume in clear. */
export function keysOf({ encryption }: VolumeSpec): readonly KeyEntry[] {
  return encryption?.keys ?? none;
}

const none: readonly KeyEntry[] = [];

function cipher(encryption: Encryption | undefined): unknown {
  if (encryption === undefined) return undefined;
  const { provider, cipher, keySizeBits, blockSize, options, allowDiscards } = encryption;
  return [provider, cipher, keySizeBits, blockSize, options, allowDiscards];
}

function same(before: unknown, after: unknown): boolean {
  return text(before) === text(after);
}

function text(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)) ?? '';
}

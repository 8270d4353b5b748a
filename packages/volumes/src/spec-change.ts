import type { Encryption, KeyEntry } from '@nodecore/config';

import type { VolumeSpec } from './spec.ts';

/** What differs between two specs of a volume that can't be changed while it is in use. Names of document fields. */
export function restartReasons(before: VolumeSpec, after: VolumeSpec): readonly string[] {
  const changes: readonly (readonly [string, boolean])[] = [
    ['volumeType', before.type !== after.type],
    ['filesystem', !same(before.filesystem, after.filesystem)],
    ['provisioning', !same(sizes(before), sizes(after))],
    ['encryption', !same(cipher(before.encryption), cipher(after.encryption))],
    ['encryption.keys', !sameKeys(before.encryption?.keys ?? [], after.encryption?.keys ?? [])],
    ['mount', !same({ ...before.mount, flags: [] }, { ...after.mount, flags: [] })],
  ];
  return changes.filter(([, changed]) => changed).map(([name]) => name);
}

function sizes({ partition }: VolumeSpec): unknown {
  return partition === undefined
    ? undefined
    : [`${partition.minSize}`, partition.maxSize?.text, partition.grow];
}

function cipher(encryption: Encryption | undefined): unknown {
  if (encryption === undefined) return undefined;
  const { provider, cipher, keySizeBits, blockSize, options, allowDiscards } = encryption;
  return [provider, cipher, keySizeBits, blockSize, options, allowDiscards];
}

function sameKeys(before: readonly KeyEntry[], after: readonly KeyEntry[]): boolean {
  return (
    before.length === after.length &&
    before.every((key, index) => {
      const other = after[index];
      if (other === undefined || other.slot !== key.slot) return false;
      if (key.kind !== 'static' || other.kind !== 'static') return key.kind === other.kind;
      return key.passphrase.equals(other.passphrase);
    })
  );
}

function same(before: unknown, after: unknown): boolean {
  return text(before) === text(after);
}

function text(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)) ?? '';
}

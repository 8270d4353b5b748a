import type { ConstructionMark, Partition, Signature } from '@nodecore/block';
import type { TokenJson } from '@nodecore/luks';

import { exhausted } from '../src/exhausted.ts';

/** What is on a stretch of a fake disk, as far as anybody can tell it apart. */
export type Region =
  | { readonly kind: 'zero' }
  | { readonly kind: 'noise' } // bytes without a signature: a torn write, or the decryption of zeros
  | { readonly kind: 'foreign'; readonly type: string } // somebody else's: may never change
  | FakeFilesystem
  | FakeLuks
  | FakeTable;

export type FakeFilesystem = {
  readonly kind: 'filesystem';
  readonly type: string;
  readonly uuid: string;
  readonly label: string;
  /** mkfs was interrupted: it has a superblock, and mounting it would be a disaster. */
  readonly torn: boolean;
  readonly files: Set<string>;
};

export type FakeLuks = {
  readonly kind: 'luks';
  flags: readonly string[];
  readonly uuid: string;
  readonly label: string;
  /** Slot to the key's bytes, in hex. */
  readonly keys: Map<number, string>;
  readonly tokens: Map<number, TokenJson>;
  readonly inner: Slot;
  /** What is read of it is not what was written. */
  badKeyslot?: number;
};

export type FakeTable = { readonly kind: 'gpt'; readonly partitions: FakePartition[] };

export type FakePartition = { facts: Partition; readonly slot: Slot };

/** A place that holds a region. Mappings keep hold of the slot. */
export type Slot = {
  region: Region;
  /** From this byte on the old data of somebody shows, whatever the region is. */
  stale?: bigint | undefined;
  /** Of the attempt that made, or makes, what is there. */
  mark?: ConstructionMark | undefined;
};

export const zero: Region = { kind: 'zero' };
export const noise: Region = { kind: 'noise' };

/** A place where something was before. */
export function used(region: Region = zero): Slot {
  return { region, stale: 0n };
}

export function slot(region: Region = zero, mark?: ConstructionMark): Slot {
  return { region, mark };
}

/** Whether somebody would miss it. */
export function holdsData(region: Region): boolean {
  switch (region.kind) {
    case 'zero':
    case 'noise':
      return false;
    case 'filesystem':
      return region.files.size > 0;
    case 'luks':
      return holdsData(region.inner.region);
    case 'foreign':
    case 'gpt':
      return true;
    default:
      return exhausted(region);
  }
}

export function signaturesOf(region: Region): readonly Signature[] {
  switch (region.kind) {
    case 'foreign':
      return signature(region.type, region.type === 'dos' ? 'partition-table' : 'other');
    case 'filesystem':
      return signature(
        region.type,
        region.type === 'swap' ? 'other' : 'filesystem',
        region.uuid,
        region.label,
      );
    case 'luks':
      return signature('luks', 'crypto', region.uuid, region.label);
    case 'gpt':
      return signature('gpt', 'partition-table');
    case 'zero':
    case 'noise':
      return [];
    default:
      return exhausted(region);
  }
}

function signature(type: string, usage: Signature['usage'], uuid = '', label = ''): readonly Signature[] {
  return [{ type, usage, offset: 0n, uuid, label }];
}

import { createHash, randomBytes } from 'node:crypto';

import type { ConstructionMark, Partition } from '@nodecore/block';

import type { Content } from './content.ts';
import { exhausted } from '../exhausted.ts';
import type { IntentRecord } from '../intents/intent.ts';

/** Of a new attempt to make a whole disk. */
export function newNonce(): string {
  return randomBytes(16).toString('hex');
}

/**
 * What our content on a device would be known by. A partition has a random GUID of its own, which is in its entry and in the
 * record; a disk has a nonce in the record alone, because all that is known of some disks is their size and their place.
 * Undefined: there is no such record, so nothing on the disk can be ours.
 */
export function markOf(
  volumeId: string,
  { partition }: { readonly partition?: Partition },
  record: IntentRecord | undefined,
): ConstructionMark | undefined {
  if (partition !== undefined) return partitionMark(volumeId, partition.partitionGuid);
  const nonce = record?.type === 'disk' ? record.nonce : undefined;
  return nonce === undefined ? undefined : { volumeId, nonce };
}

export function partitionMark(volumeId: string, partitionGuid: string): ConstructionMark {
  return { volumeId, nonce: partitionGuid.toLowerCase().replaceAll('-', '') };
}

/** The UUIDs of what is made in an attempt are known before it begins: content with another one is not of it. */
export function uuidFor({ volumeId, nonce }: ConstructionMark, what: 'luks' | 'filesystem'): string {
  const bytes = createHash('sha256').update(`nodecore ${what} ${volumeId} ${nonce}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6); // version 8: made up by us
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * Whose it is what is on a device that is being made:
 * - `begun`: the mark is there, and nothing that another program has made since;
 * - `made`: it is what the attempt makes, and the mark, which goes last, is gone: it was complete;
 * - `blank`: proven empty, so it has no owner;
 * - `foreign`: anything else.
 */
export type Provenance = 'begun' | 'made' | 'blank' | 'foreign';

export function provenanceOf(
  content: Content,
  mark: ConstructionMark | undefined,
  isMarked: boolean,
): Provenance {
  const ours = mark !== undefined && isMadeWith(content, mark);
  if (isMarked) return ours || content.kind === 'empty' || content.kind === 'unknown' ? 'begun' : 'foreign';
  if (content.kind === 'empty') return 'blank';
  return ours ? 'made' : 'foreign';
}

function isMadeWith(content: Content, mark: ConstructionMark): boolean {
  switch (content.kind) {
    case 'luks':
      return content.uuid === uuidFor(mark, 'luks');
    case 'filesystem':
    case 'swap':
      return content.uuid === uuidFor(mark, 'filesystem');
    case 'empty':
    case 'unknown':
    case 'other':
      return false;
    default:
      return exhausted(content);
  }
}

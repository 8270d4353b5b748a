import { Secret } from '@nodecore/sys';

import { KeysError } from './errors.ts';
import type { KeyContext } from './key-spec.ts';

/**
 * The key of a node and a volume: the UTF-8 bytes of the machine UUID, followed by those of the volume's id.
 *
 * Firmware that was never given a UUID shows nothing, or a row of equal characters. Every such machine would have the
 * same key, so both are refused.
 */
export function nodeId(slot: number, { machineUuid, volumeId }: KeyContext): Secret {
  if (machineUuid === '')
    throw new KeysError('ERR_KEYS_UUID_MISSING', 'the machine has no UUID', { slot, kind: 'nodeID' });
  if (identifiesNobody(machineUuid)) {
    const what = 'one character makes up more than half of the machine UUID';
    throw new KeysError('ERR_KEYS_UUID_LOW_ENTROPY', what, { slot, kind: 'nodeID' });
  }
  // Part by part: joined, they would be the key as a string, which can't be wiped.
  const uuidBytes = Buffer.byteLength(machineUuid);
  const bytes = Buffer.alloc(uuidBytes + Buffer.byteLength(volumeId));
  bytes.write(machineUuid, 0);
  bytes.write(volumeId, uuidBytes);
  return Secret.take(bytes);
}

/** Whether a machine UUID is none, or one that the firmware of many machines shows: `00000000-…`, `03000200-0400-0500-0006-000700080009`. */
export function identifiesNobody(machineUuid: string): boolean {
  return machineUuid === '' || isMostlyOneCharacter(machineUuid);
}

function isMostlyOneCharacter(text: string): boolean {
  const counts = new Map<string, number>();
  let length = 0;
  for (const character of text) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
    length += 1;
  }
  return Math.max(...counts.values()) * 2 > length;
}

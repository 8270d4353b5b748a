import { LuksError, unsupported } from './errors.ts';
import { buildCopy, type ValidCopy } from './header-copy.ts';
import type { HeaderFacts } from './header-json.ts';
import { freeRangeOf, overlaps, type Range } from './keyslot-area.ts';

/** A header with its keyslots, in memory. */
export type WholeHeader = {
  readonly copy: ValidCopy;
  readonly facts: HeaderFacts;
  /** From the first byte of the first copy to the end of the keyslot area. */
  readonly bytes: Buffer;
};

/** What a restore is about to write. */
export type Candidate = {
  readonly uuid: string;
  /** Both copies, whole. */
  readonly primary: Buffer;
  readonly secondary: Buffer;
  readonly keyslots: readonly (Range & { readonly bytes: Buffer })[];
  /** Keyslots that lie elsewhere than in the backup. */
  readonly moved: readonly number[];
  /** Keyslots of the header that is replaced, where nothing of the new one lies. */
  readonly stale: readonly Range[];
  /** Where the keyslot area ends. */
  readonly sizeBytes: number;
};

type Placed = Range & { readonly slot: number; readonly from: bigint };

const largestSequence = (1n << 64n) - 1n;

/** What is on the device, whatever it is worth. */
export type Disk = {
  /** Its bytes, for as long as the backup is. */
  readonly disk: Buffer;
  /** The highest sequence number of a copy whose checksum is right. */
  readonly sequence: bigint;
};

/**
 * Makes the header that a restore writes: that of the backup, with every keyslot at a place that the present header does
 * not use, or where the same bytes are already. What a keyslot holds does not depend on where it lies.
 */
export function makeCandidate(
  device: string,
  backup: WholeHeader,
  present: HeaderFacts | undefined,
  { disk, sequence: onDisk }: Disk,
): Candidate {
  const used = present?.areas ?? [];
  const placed = placeKeyslots(device, backup, used, disk);
  const moved = placed.filter(({ offset, from }) => offset !== from);
  const json = moved.length === 0 ? backup.copy.json : withOffsets(device, backup.copy.json, moved);
  if (Buffer.byteLength(json) >= Number(backup.facts.jsonSizeBytes)) throw full(device);
  const sequence = raised(device, onDisk, backup.copy.sequence);
  const source = backup.bytes.subarray(backup.copy.offset, backup.copy.offset + backup.copy.sizeBytes);
  return {
    uuid: backup.copy.uuid,
    primary: buildCopy('primary', source, backup.copy, { sequence, json }),
    secondary: buildCopy('secondary', source, backup.copy, { sequence, json }),
    keyslots: placed.map(({ offset, sizeBytes, from }) => ({
      offset,
      sizeBytes,
      bytes: slice(backup.bytes, { offset: from, sizeBytes }),
    })),
    moved: moved.map(({ slot }) => slot),
    stale: used.filter((range) => !placed.some((other) => overlaps(range, other))),
    sizeBytes: backup.bytes.length,
  };
}

/**
 * A number above both, so that the library takes the restored copy while the other is still the old one. Nobody gets to
 * the largest by changing headers: where it is on the disk somebody wrote it, and it must not keep us from restoring.
 */
function raised(device: string, onDisk: bigint, ofBackup: bigint): bigint {
  const above = (onDisk > ofBackup ? onDisk : ofBackup) + 1n;
  if (above <= largestSequence) return above;
  if (ofBackup === largestSequence)
    throw unsupported(device, 'a backup whose sequence number can not be raised');
  return ofBackup + 1n;
}

function placeKeyslots(
  device: string,
  backup: WholeHeader,
  used: readonly Range[],
  disk: Buffer,
): readonly Placed[] {
  const stays = (range: Range): boolean =>
    !used.some((other) => overlaps(range, other)) || slice(backup.bytes, range).equals(slice(disk, range));
  const placed: Placed[] = backup.facts.areas
    .filter(stays)
    .map(({ slot, offset, sizeBytes }) => ({ slot, offset, sizeBytes, from: offset }));
  for (const area of backup.facts.areas) {
    if (stays(area)) continue;
    const free = freeRangeOf(backup.facts, [...used, ...placed], area.sizeBytes);
    if (free === undefined) throw full(device);
    placed.push({ ...free, slot: area.slot, from: area.offset });
  }
  return placed;
}

/** The JSON with keyslots at other offsets. Everything else stays as it is, or the text is refused. */
function withOffsets(device: string, text: string, moved: readonly Placed[]): string {
  const json = JSON.parse(text, (_, value: unknown) => {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) {
      throw unsupported(device, 'a number in the header that would not be kept as it is');
    }
    return value;
  }) as { keyslots: Record<string, { area: { offset: string } }> };
  for (const { slot, offset } of moved) {
    const keyslot = json.keyslots[String(slot)];
    if (keyslot !== undefined) keyslot.area.offset = String(offset);
  }
  return JSON.stringify(json);
}

function slice(bytes: Buffer, { offset, sizeBytes }: Range): Buffer {
  return bytes.subarray(Number(offset), Number(offset + sizeBytes));
}

function full(device: string): LuksError {
  return new LuksError(
    'ERR_LUKS_FULL',
    device,
    '',
    `${device}: no room for the keyslots of the backup beside those in use; remove a keyslot first`,
  );
}

import { knownReencryption } from './header-rules-keyslot.ts';
import {
  asCount32,
  asDigits64,
  asList,
  asName,
  asNumbered,
  asRecord,
  asTexts,
  ShapeError,
} from './json-shape.ts';

type Json = Readonly<Record<string, unknown>>;

const sector = 512n;

/** What the segment was, or will be, of a re-encryption that is under way. */
export function isBackup(segment: Json): boolean {
  return flagsOf(segment).some((flag) => flag.startsWith('backup-'));
}

function flagsOf(segment: Json): readonly string[] {
  const { flags } = segment;
  return Array.isArray(flags) ? flags.filter((flag) => typeof flag === 'string') : [];
}

/** Where a regular segment lies; undefined sizes reach to the end of the device. */
type Extent = { readonly id: string; readonly offset: bigint; readonly sizeBytes: bigint | undefined };

/** LUKS2 specification 3.3. Segments are numbered without a gap, and those that are backups come last. */
export function checkSegments(json: Json, requirements: readonly string[]): void {
  const segments = asNumbered(json['segments'], 'segments').map(
    ([id, value]) => [id, asRecord(value, `segments.${id}`)] as const,
  );
  const extents = segments.map(([id, segment]) => checkSegment(id, segment, json));
  const count = segments.findIndex(([, segment]) => isBackup(segment));
  const regular = count < 0 ? segments.length : count;
  if (regular === 0) throw new ShapeError('segments has no regular one');
  if (segments.some(([id], index) => id !== String(index))) throw new ShapeError('segments has a gap');
  if (segments.slice(regular).some(([, segment]) => !isBackup(segment))) {
    throw new ShapeError('segments has a regular one behind a backup');
  }
  checkExtents(extents.slice(0, regular));
  if (requirements.some((name) => knownReencryption.test(name))) {
    checkReencryption(
      segments.map(([, segment]) => segment),
      regular,
    );
  }
}

function checkSegment(id: string, segment: Json, json: Json): Extent {
  const where = `segments.${id}`;
  const type = asName(segment['type'], `${where}.type`);
  const offset = asDigits64(segment['offset'], `${where}.offset`);
  const isDynamic = asName(segment['size'], `${where}.size`) === 'dynamic';
  const sizeBytes = isDynamic ? undefined : asDigits64(segment['size'], `${where}.size`);
  if (sizeBytes === 0n) throw new ShapeError(`${where}.size is 0`);
  if (offset % sector !== 0n || (sizeBytes ?? 0n) % sector !== 0n) {
    throw new ShapeError(`${where} is not whole sectors`);
  }
  if (segment['flags'] !== undefined) asTexts(segment['flags'], `${where}.flags`);
  if (type === 'crypt') checkCrypt(id, segment, json, sizeBytes ?? 0n);
  return { id, offset, sizeBytes };
}

function checkCrypt(id: string, segment: Json, json: Json, sizeBytes: bigint): void {
  const where = `segments.${id}`;
  asDigits64(segment['iv_tweak'], `${where}.iv_tweak`);
  asName(segment['encryption'], `${where}.encryption`);
  const sectorSize = BigInt(asCount32(segment['sector_size'], `${where}.sector_size`));
  if (sectorSize === 0n || sectorSize % sector !== 0n) throw new ShapeError(`${where}.sector_size is none`);
  if (sizeBytes % sectorSize !== 0n) throw new ShapeError(`${where}.size is not whole sectors`);
  if (segment['integrity'] !== undefined) {
    const integrity = asRecord(segment['integrity'], `${where}.integrity`);
    for (const name of ['type', 'journal_encryption', 'journal_integrity']) {
      asName(integrity[name], `${where}.integrity.${name}`);
    }
  }
  const digests = Object.values(asRecord(json['digests'], 'digests'));
  const isBound = digests.some((digest) =>
    asList(asRecord(digest, 'digest')['segments'], 'digest.segments').includes(id),
  );
  if (!isBound) throw new ShapeError(`${where} has no digest`);
}

function checkExtents(extents: readonly Extent[]): void {
  for (const [index, { id, offset, sizeBytes }] of extents.entries()) {
    if (sizeBytes === undefined && index !== extents.length - 1) {
      throw new ShapeError(`segments.${id} is dynamic, but not the last`);
    }
    const overlapped = extents.find(
      (other) =>
        other.id !== id &&
        offset >= other.offset &&
        (other.sizeBytes === undefined || offset < other.offset + other.sizeBytes),
    );
    if (overlapped !== undefined) throw new ShapeError(`segments.${id} overlaps segments.${overlapped.id}`);
    if (extents.length > 1 && sizeBytes !== undefined && offset + sizeBytes >= 1n << 64n) {
      throw new ShapeError(`segments.${id} ends beyond any device`);
    }
  }
}

/** While a volume is re-encrypted, every segment is as it was or as it will be, and both are kept beside them. */
function checkReencryption(segments: readonly Json[], regular: number): void {
  const backups = segments.slice(regular);
  const final = backups.findLast((segment) => flagsOf(segment).includes('backup-final'));
  const previous = backups.findLast((segment) => flagsOf(segment).includes('backup-previous'));
  if (final === undefined || previous === undefined) throw new ShapeError('segments lacks a backup');
  for (const segment of segments.slice(0, regular)) {
    const isUnderWay = flagsOf(segment).includes('in-reencryption');
    if (!isAlike(segment, final) && (isUnderWay || !isAlike(segment, previous))) {
      throw new ShapeError('segments has one that is neither as before nor as after the re-encryption');
    }
  }
}

function isAlike(one: Json, other: Json): boolean {
  if (one['type'] !== other['type']) return false;
  return one['type'] !== 'crypt' || ['sector_size', 'encryption'].every((name) => one[name] === other[name]);
}

import { createHash } from 'node:crypto';

import { MetaError } from './errors.ts';

/**
 * The META partition: a few tagged values in 1 MiB, kept twice.
 *
 * Each copy is one record: magic (16), sequence (8), length of the values (4), zero (4), SHA-256 of all that and the
 * values (32), then the values as tag (2), length (4), bytes. Numbers are little-endian. A write goes to the copy that
 * is not the current one and carries the next sequence, so that a torn write leaves the current one alone.
 */
export const metaSizeBytes: number = 1 << 20;
/** Where the copies begin. */
export const copyOffsets: readonly [number, number] = [0, metaSizeBytes / 2];
const copySizeBytes = metaSizeBytes / 2;
const magic = Buffer.from('nodecore META 1\n', 'latin1');
const headerSizeBytes = 64;
const valueHeaderSizeBytes = 6;
const maxTag = 0xffff;
/** One write a nanosecond reaches it after 292 years: a higher one is not ours, and there must be a next one. */
const maxSequence = 2n ** 63n;

/** Values by tag. */
export type MetaValues = ReadonlyMap<number, Uint8Array>;

/** What a META partition holds. */
export type MetaRecord = {
  /** 0: nothing was ever written. */
  readonly sequence: bigint;
  readonly values: MetaValues;
  /** Which copy it is; the next write goes to the other one. */
  readonly copy: 0 | 1;
};

/** One write that makes a new record current, once it is on the disk as a whole. */
export type MetaWrite = { readonly offset: number; readonly bytes: Buffer };

/**
 * The current record of a whole META partition. A copy that is torn, or that nobody could have written with
 * `writeMeta`, is as good as none.
 *
 * @throws {MetaError} `ERR_META_DAMAGED` when there is something, but no whole record: it may belong to another system.
 */
export function readMeta(partition: Uint8Array): MetaRecord {
  const records = copyOffsets.map((offset, index) =>
    parseCopy(Buffer.from(partition.subarray(offset, offset + copySizeBytes)), index === 0 ? 0 : 1),
  );
  const whole = records.filter((record) => record !== undefined);
  const newest = whole.toSorted((left, right) => Number(right.sequence - left.sequence))[0];
  if (newest !== undefined) return newest;
  if (isBlank(partition)) return { sequence: 0n, values: new Map(), copy: 1 };
  throw new MetaError('ERR_META_DAMAGED', 'META: neither copy is whole, and they are not blank');
}

/** Whether a partition that has no whole record was written by us: at least one copy begins as ours do. */
export function isTornMeta(partition: Uint8Array): boolean {
  return copyOffsets.some((offset) => magic.equals(partition.subarray(offset, offset + magic.length)));
}

/**
 * The writes that replace `current` by `values`. Each must be on the disk before the next begins.
 *
 * A record of many sectors, torn on a blank partition, would look like somebody else's data: there, an empty record
 * of one sector, which is written as a whole or not at all, goes first.
 */
export function writeMeta(current: MetaRecord, values: MetaValues): readonly MetaWrite[] {
  if (current.sequence > 0n) return [writeCopy(current, values)];
  const claim = writeCopy(current, new Map());
  return [claim, writeCopy({ sequence: 1n, values: new Map(), copy: 0 }, values)];
}

/**
 * The only write of a partition that is blank and is nobody's yet: in an image. No values need none.
 *
 * @throws {MetaError} `ERR_META_TOO_LARGE`, `ERR_META_TAG`.
 */
export function encodeMeta(values: MetaValues): readonly MetaWrite[] {
  return values.size === 0 ? [] : [writeCopy({ sequence: 0n, values: new Map(), copy: 1 }, values)];
}

function writeCopy(current: MetaRecord, values: MetaValues): MetaWrite {
  const payload = Buffer.concat([...values].sort(([left], [right]) => left - right).map(encodeValue));
  if (headerSizeBytes + payload.length > copySizeBytes) {
    throw new MetaError('ERR_META_TOO_LARGE', `META: ${payload.length} bytes of values do not fit`);
  }
  const header = Buffer.alloc(headerSizeBytes);
  magic.copy(header);
  header.writeBigUInt64LE(current.sequence + 1n, 16);
  header.writeUInt32LE(payload.length, 24);
  digest(header, payload).copy(header, 32);
  return { offset: copyOffsets[current.copy === 0 ? 1 : 0], bytes: Buffer.concat([header, payload]) };
}

function parseCopy(bytes: Buffer, copy: 0 | 1): MetaRecord | undefined {
  if (bytes.length < headerSizeBytes) return undefined;
  const header = bytes.subarray(0, headerSizeBytes);
  if (!header.subarray(0, magic.length).equals(magic)) return undefined;
  const length = header.readUInt32LE(24);
  if (headerSizeBytes + length > bytes.length) return undefined;
  const payload = bytes.subarray(headerSizeBytes, headerSizeBytes + length);
  if (!digest(header, payload).equals(header.subarray(32, 64))) return undefined;
  const sequence = header.readBigUInt64LE(16);
  const values = decodeValues(payload);
  return values === undefined || sequence === 0n || sequence >= maxSequence
    ? undefined
    : { sequence, values, copy };
}

function digest(header: Buffer, payload: Buffer): Buffer {
  return createHash('sha256').update(header.subarray(0, 32)).update(payload).digest();
}

function encodeValue([tag, value]: [number, Uint8Array]): Buffer {
  if (!Number.isInteger(tag) || tag < 0 || tag > maxTag) {
    throw new MetaError('ERR_META_TAG', `META: ${tag} is no tag`);
  }
  const head = Buffer.alloc(valueHeaderSizeBytes);
  head.writeUInt16LE(tag, 0);
  head.writeUInt32LE(value.length, 2);
  return Buffer.concat([head, value]);
}

/** Undefined when lengths lead out of the record: a digest says that nothing was torn, not who made it. */
function decodeValues(payload: Buffer): Map<number, Uint8Array> | undefined {
  const values = new Map<number, Uint8Array>();
  for (let offset = 0; offset < payload.length;) {
    const start = offset + valueHeaderSizeBytes;
    if (start > payload.length) return undefined;
    const end = start + payload.readUInt32LE(offset + 2);
    if (end > payload.length) return undefined;
    values.set(payload.readUInt16LE(offset), payload.subarray(start, end));
    offset = end;
  }
  return values;
}

function isBlank(bytes: Uint8Array): boolean {
  return Buffer.compare(bytes, Buffer.alloc(bytes.length)) === 0;
}

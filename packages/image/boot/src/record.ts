import type { EntryName } from './entry-name.ts';
import { BootError } from './errors.ts';

/** Why a start of an entry did not end well. */
export type BootFailure = {
  readonly reason: string;
  /** The last lines of the kernel that failed, where it left any. */
  readonly log?: string;
};

/** What the node remembers of an entry beside its file. */
export type RecordedEntry = Pick<EntryName, 'imageVersion' | 'sequence'> & {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly failure?: BootFailure;
};

/** The boot record, a value of META: it is there when no entry starts and STATE can't be opened. */
export type BootRecord = {
  /** Of the last installation; the next one gets one more. */
  readonly sequence: number;
  readonly entries: readonly RecordedEntry[];
};

export const emptyBootRecord: BootRecord = { sequence: 0, entries: [] };

const maxTextLength = 4096;

/**
 * A value that was read from META; undefined is an empty record.
 *
 * @throws {BootError} `ERR_BOOT_RECORD`.
 */
export function parseBootRecord(value: unknown): BootRecord {
  if (value === undefined) return emptyBootRecord;
  if (!isRecord(value) || !isCount(value['sequence']) || !Array.isArray(value['entries'])) throw damaged();
  return { sequence: value['sequence'], entries: value['entries'].map(parseEntry) };
}

/** The record after an installation. */
export function withEntry(record: BootRecord, entry: RecordedEntry): BootRecord {
  const others = record.entries.filter((other) => !isSame(other, entry));
  return { sequence: Math.max(record.sequence, entry.sequence), entries: [...others, entry] };
}

/** The record after a start that did not end well; the entry must be in it. */
export function withFailure(
  record: BootRecord,
  entry: Pick<EntryName, 'imageVersion' | 'sequence'>,
  { reason, log }: BootFailure,
): BootRecord {
  const failure = {
    reason: reason.slice(0, maxTextLength),
    ...(log !== undefined && { log: log.slice(-maxTextLength) }),
  };
  return {
    ...record,
    entries: record.entries.map((other) => (isSame(other, entry) ? { ...other, failure } : other)),
  };
}

/** The record without entries that have no file any more. Their numbers stay used. */
export function withoutGone(record: BootRecord, entries: readonly EntryName[]): BootRecord {
  return {
    ...record,
    entries: record.entries.filter((entry) => entries.some((other) => isSame(other, entry))),
  };
}

/** The number of the next installation: higher than all that were ever used, also when META was lost. */
export function nextSequence(record: BootRecord, entries: readonly EntryName[]): number {
  return Math.max(record.sequence, ...entries.map(({ sequence }) => sequence)) + 1;
}

function parseEntry(value: unknown): RecordedEntry {
  if (!isRecord(value)) throw damaged();
  const { imageVersion, sequence, sha256, sizeBytes, failure } = value;
  const isValid =
    typeof imageVersion === 'string' && typeof sha256 === 'string' && isCount(sequence) && isCount(sizeBytes);
  if (!isValid) throw damaged();
  const entry = { imageVersion, sequence, sha256, sizeBytes };
  if (failure === undefined) return entry;
  if (!isRecord(failure)) throw damaged();
  const { reason, log } = failure;
  if (typeof reason !== 'string') throw damaged();
  return { ...entry, failure: { reason, ...(typeof log === 'string' && { log }) } };
}

function isSame(
  left: Pick<EntryName, 'imageVersion' | 'sequence'>,
  right: Pick<EntryName, 'imageVersion' | 'sequence'>,
): boolean {
  return left.imageVersion === right.imageVersion && left.sequence === right.sequence;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function damaged(): BootError {
  return new BootError('ERR_BOOT_RECORD', 'META: the boot record is not one');
}

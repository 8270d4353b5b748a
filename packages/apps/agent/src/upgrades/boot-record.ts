import {
  type BootFailure,
  type BootRecord,
  emptyBootRecord,
  type Entry,
  type EntryName,
  parseBootRecord,
  type RecordedEntry,
  withEntry,
  withFailure,
} from '@nodecore/boot';
import { decodeJsonValue, encodeJsonValue, metaTag } from '@nodecore/meta';

import type { Log } from '../log.ts';
import type { Meta } from '../persistence/meta.ts';

/** The record in META; an empty one when there is none, or none that can be read: what boots does not depend on it. */
export function readBootRecord(meta: Meta, log: Log): BootRecord {
  try {
    return parseBootRecord(decodeJsonValue(metaTag.bootRecord, meta.get(metaTag.bootRecord)));
  } catch (error) {
    log.warn({ err: error }, 'META has no boot record that can be read: it begins anew');
    return emptyBootRecord;
  }
}

/** Replaces it; survives a power cut from the moment this resolves. */
export async function writeBootRecord(meta: Meta, record: BootRecord): Promise<void> {
  await meta.set(metaTag.bootRecord, encodeJsonValue(record));
}

/** What it has on an entry; the first one, which the image was made with, is in no record before something fails. */
export function recordedEntry(record: BootRecord, entry: EntryName): RecordedEntry | undefined {
  const { imageVersion, sequence } = entry;
  return record.entries.find((other) => other.imageVersion === imageVersion && other.sequence === sequence);
}

/** The record with why an entry is not to run any more, or was left. */
function withReason(
  record: BootRecord,
  entry: EntryName & { readonly sizeBytes: number },
  failure: BootFailure,
): BootRecord {
  const { imageVersion, sequence, sizeBytes } = entry;
  const known = recordedEntry(record, entry) ?? { imageVersion, sequence, sha256: '', sizeBytes };
  return withFailure(withEntry(record, known), entry, failure);
}

/** Keeps why an entry is not to run any more, or was left. */
export async function keepFailure(
  meta: Meta,
  entry: Entry,
  { reason, log: lines }: BootFailure,
  log: Log,
): Promise<void> {
  const failure = { reason, ...(lines !== undefined && { log: lines }) };
  await writeBootRecord(meta, withReason(readBootRecord(meta, log), entry, failure));
}

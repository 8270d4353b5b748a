import { decodeJsonValue, encodeJsonValue, metaTag } from '@nodecore/meta';

import type { Log } from '../log.ts';
import type { Meta } from '../persistence/meta.ts';

/** What META remembers of one entry of the boot menu. The state of an entry is in the name of its file, and wins. */
export type EntryRecord = {
  /** `v1.14.0` */
  readonly version: string;
  readonly schematic: string;
  readonly sha256: string;
  readonly size: number;
  /** RFC 3339 */
  readonly written: string;
  /** Why it is not to run, or was left. */
  readonly reason?: string;
};

/** What META remembers of the boot menu. */
export type BootRecord = {
  /** Of the newest installation; entries are numbered by it. */
  readonly installs: number;
  /** By version and number of the installation: `1.14.0-2`. */
  readonly entries: Readonly<Record<string, EntryRecord>>;
};

const none: BootRecord = { installs: 0, entries: {} };

/** The record; an empty one when there is none, or none that can be read: what boots does not depend on it. */
export function readBootRecord(meta: Meta, log: Log): BootRecord {
  try {
    const value = decodeJsonValue(metaTag.bootRecord, meta.get(metaTag.bootRecord));
    const { installs, entries } = (value ?? {}) as Partial<BootRecord>;
    return { installs: Number.isSafeInteger(installs) ? Number(installs) : 0, entries: entries ?? {} };
  } catch (error) {
    log.warn({ err: error }, 'META has no boot record that can be read: it begins anew');
    return none;
  }
}

/** Replaces it; survives a power cut from the moment this resolves. */
export async function writeBootRecord(meta: Meta, record: BootRecord): Promise<void> {
  await meta.set(metaTag.bootRecord, encodeJsonValue(record));
}

/** The same record with a change of one entry; nothing when it is not known. */
export function withReason(record: BootRecord, id: string, reason: string): BootRecord {
  const entry = record.entries[id];
  const known = entry ?? { version: '', schematic: '', sha256: '', size: 0, written: '' };
  return { ...record, entries: { ...record.entries, [id]: { ...known, reason } } };
}

import { type FileEntry, FileType } from '@nodecore/api/file';

import { iecSize } from '../files/iec-size.ts';
import { nameFields, nameText } from '../files/name-text.ts';
import { modeText, typeWord } from './types.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const youngMs = 180 * 24 * 3600 * 1000;

/** Headers of {@link longRow}. */
export function longHeaders(humanize: boolean): readonly string[] {
  return ['node', 'mode', 'uid', 'gid', humanize ? 'size' : 'size(B)', 'lastmod', 'label', 'name'];
}

/** An entry with its details. */
export function longRow(
  node: string,
  entry: FileEntry,
  { humanize, nowMs }: { readonly humanize: boolean; readonly nowMs: number },
): string[] {
  const { type, mode, uid, gid, size, label, deviceMajor, deviceMinor, target } = entry;
  const isDevice = type === FileType.CHARACTER_DEVICE || type === FileType.BLOCK_DEVICE;
  const bytes = humanize ? iecSize(size) : String(size);
  return [
    node,
    modeText(type, mode),
    String(uid),
    String(gid),
    isDevice ? `${deviceMajor},${deviceMinor}` : bytes,
    timeText(entry.modifiedSeconds, nowMs),
    label === '' ? '-' : label,
    type === FileType.SYMLINK ? `${pathText(entry)} -> ${nameText(target)}` : pathText(entry),
  ];
}

/** A dot is the path that was asked for. */
export function pathText({ path }: FileEntry): string {
  return path.length === 0 ? '.' : nameText(path);
}

/** An entry as programs get it. */
export function entryObject(node: string, entry: FileEntry, details: boolean): object {
  const { path, type } = entry;
  const named = {
    node,
    ...nameFields('path', path.length === 0 ? Buffer.from('.') : path),
    type: typeWord(type),
  };
  if (!details) return named;
  const { mode, uid, gid, size, diskBytes, links, inode, deviceMajor, deviceMinor, target } = entry;
  const { label, attributes } = entry;
  const isDevice = type === FileType.CHARACTER_DEVICE || type === FileType.BLOCK_DEVICE;
  return {
    ...named,
    mode: (mode & 0o7777).toString(8).padStart(4, '0'),
    uid,
    gid,
    sizeBytes: size,
    diskBytes,
    modified: exactTime(entry),
    links,
    inode,
    ...(isDevice && { deviceMajor, deviceMinor }),
    ...(type === FileType.SYMLINK && nameFields('target', target)),
    ...(label !== '' && { label }),
    ...(attributes.length > 0 && { attributes }),
  };
}

/** The time of day of what is young, else the year. */
function timeText(seconds: bigint, nowMs: number): string {
  const ms = Number(seconds) * 1000;
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return '-';
  const day = `${months[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2)}`;
  const minute = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
  const isYoung = Math.abs(nowMs - ms) < youngMs;
  return isYoung
    ? `${day} ${minute}:${two(date.getUTCSeconds())}`
    : `${day} ${date.getUTCFullYear()} ${minute}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** RFC 3339 with nanoseconds; undefined for times that it has no words for. */
function exactTime({ modifiedSeconds, modifiedNanos }: FileEntry): string | undefined {
  const date = new Date(Number(modifiedSeconds) * 1000);
  if (Number.isNaN(date.getTime())) return undefined;
  return `${date.toISOString().slice(0, 19)}.${String(modifiedNanos).padStart(9, '0')}Z`;
}

import { builtin } from '@nodecore/sys/pure';

const crypto = builtin('node:crypto');

function digest(...words: readonly string[]): Buffer {
  return crypto()
    .createHash('sha256')
    .update(['os-cluster', ...words].join('\0'))
    .digest();
}

/** RFC 9562, version 8: the same over restarts, another in every cluster. @param id of the cluster. */
export function uuidOf(id: string, name: string): string {
  const bytes = digest(id, name).subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Of a card of a node: locally administered, of one station. @param id of the cluster. */
export function macOf(id: string, name: string, card: number): string {
  const bytes = [0x02, ...digest(id, name, String(card)).subarray(0, 5)];
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(':');
}

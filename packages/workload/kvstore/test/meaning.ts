/**
 * Which bytes of a database mean anything: an independent reading of bbolt's format, straight from its pages, to judge
 * whether a changed bit must be noticed.
 */
export type Meaning = {
  /** By byte: what it is part of; 0 when nothing that is in use. */
  readonly kinds: Uint8Array;
};

/** What a byte is part of. */
export const part = { nothing: 0, meta: 1, header: 2, table: 3, branchKey: 4, key: 5, value: 6 } as const;

const pageBytes = 4096;
const headerBytes = 16;
const elementBytes = 16;
const metaBytes = 64;

export function meaningOf(database: Buffer): Meaning {
  const kinds = new Uint8Array(database.length);
  const mark = (from: number, bytes: number, kind: number): void => {
    kinds.fill(kind, from, from + bytes);
  };
  const newest =
    database.readBigUInt64LE(headerBytes + 48) >= database.readBigUInt64LE(pageBytes + headerBytes + 48)
      ? 0
      : pageBytes;
  mark(newest + headerBytes, metaBytes, part.meta);

  const visit = (at: number): void => {
    const flags = database.readUInt16LE(at + 8);
    const count = database.readUInt16LE(at + 10);
    mark(at, headerBytes, part.header);
    for (let index = 0; index < count; index += 1) {
      const element = at + headerBytes + index * elementBytes;
      mark(element, elementBytes, part.table);
      if (flags === 1) {
        // Where the last key ends nothing else begins: it can be shorter, and separate as well as before.
        if (index === count - 1) mark(element + 4, 4, part.branchKey);
        mark(element + database.readUInt32LE(element), database.readUInt32LE(element + 4), part.branchKey);
        visit(Number(database.readBigUInt64LE(element + 8)) * pageBytes);
        continue;
      }
      const key = element + database.readUInt32LE(element + 4);
      const keyBytes = database.readUInt32LE(element + 8);
      const valueBytes = database.readUInt32LE(element + 12);
      mark(key, keyBytes, part.key);
      if (database.readUInt32LE(element) !== 1) {
        mark(key + keyBytes, valueBytes, part.value);
        continue;
      }
      const bucket = key + keyBytes;
      mark(bucket, 8, part.table);
      const root = Number(database.readBigUInt64LE(bucket));
      visit(root === 0 ? bucket + headerBytes : root * pageBytes);
      // A small bucket's page lies within the value, and its number, flags' upper bits and overflow say nothing there.
      if (root === 0) mark(bucket + headerBytes, 8, part.nothing);
    }
  };
  visit(Number(database.readBigUInt64LE(newest + headerBytes + 16)) * pageBytes);
  return { kinds };
}

/** Whether every key lies between those that the branches above it say: a lookup then finds what it found before. */
export function isSeparated(database: Buffer): boolean {
  const keyAt = (element: number, isBranch: boolean): Buffer => {
    const at = element + database.readUInt32LE(element + (isBranch ? 0 : 4));
    return database.subarray(at, at + database.readUInt32LE(element + (isBranch ? 4 : 8)));
  };
  const visit = (at: number, least: Buffer | undefined, bound: Buffer | undefined): boolean => {
    const isBranch = database.readUInt16LE(at + 8) === 1;
    const count = database.readUInt16LE(at + 10);
    const elements = Array.from({ length: count }, (_, index) => at + headerBytes + index * elementBytes);
    return elements.every((element, index) => {
      const key = keyAt(element, isBranch);
      if ((least && Buffer.compare(key, least) < 0) || (bound && Buffer.compare(key, bound) >= 0))
        return false;
      const following = elements[index + 1];
      const next = following === undefined ? bound : keyAt(following, isBranch);
      if (isBranch) return visit(Number(database.readBigUInt64LE(element + 8)) * pageBytes, key, next);
      if (database.readUInt32LE(element) !== 1) return true;
      const bucket = element + database.readUInt32LE(element + 4) + database.readUInt32LE(element + 8);
      const root = Number(database.readBigUInt64LE(bucket));
      return root === 0 || visit(root * pageBytes, undefined, undefined);
    });
  };
  const newest =
    database.readBigUInt64LE(headerBytes + 48) >= database.readBigUInt64LE(pageBytes + headerBytes + 48)
      ? 0
      : pageBytes;
  return visit(Number(database.readBigUInt64LE(newest + headerBytes + 16)) * pageBytes, undefined, undefined);
}

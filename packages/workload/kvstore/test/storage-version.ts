import { createHash } from 'node:crypto';

/** A leaf of bbolt in memory: its elements in order. */
type Element = { readonly flags: number; readonly key: Buffer; readonly value: Buffer };

const pageBytes = 4096;
const headBytes = 16;
const elementBytes = 16;
/** Root and sequence, before the page of a bucket that is small enough to be kept in its parent. */
const bucketBytes = 16;
const digestBytes = 32;
const leafFlag = 2;

/**
 * The same snapshot as a member of etcd 3.6 has it: pages are as before, and the bucket `meta` says which version its schema
 * has. It is told by what etcd's storage schema documents, for no suite of Debian has an etcd 3.6 that could write one.
 */
export function withStorageVersion(snapshot: Buffer, version: string): Buffer {
  const database = Buffer.from(snapshot.subarray(0, -digestBytes));
  const newest = database.readBigUInt64LE(64) >= database.readBigUInt64LE(pageBytes + 64) ? 0 : pageBytes;
  const at = Number(database.readBigUInt64LE(newest + 32)) * pageBytes;
  const root = database.subarray(at, at + pageBytes);
  const elements = elementsOf(root).map((element) =>
    element.key.toString() === 'meta' ? { ...element, value: stated(element.value, version) } : element,
  );
  written(elements, root.subarray(0, headBytes), pageBytes).copy(root);
  return Buffer.concat([database, createHash('sha256').update(database).digest()]);
}

function stated(bucket: Buffer, version: string): Buffer {
  if (bucket.readBigUInt64LE() !== 0n) throw new RangeError('the bucket meta has a page of its own');
  const page = bucket.subarray(bucketBytes);
  const added = { flags: 0, key: Buffer.from('storageVersion'), value: Buffer.from(version) };
  const elements = [...elementsOf(page), added].toSorted((one, other) => one.key.compare(other.key));
  return Buffer.concat([bucket.subarray(0, bucketBytes), written(elements, page.subarray(0, headBytes))]);
}

function elementsOf(page: Buffer): Element[] {
  if (page.readUInt16LE(8) !== leafFlag) throw new RangeError('no leaf');
  return Array.from({ length: page.readUInt16LE(10) }, (_, index) => {
    const head = headBytes + index * elementBytes;
    const [flags, position, keyBytes, valueBytes] = [0, 4, 8, 12].map((offset) =>
      page.readUInt32LE(head + offset),
    ) as [number, number, number, number];
    const start = head + position;
    const key = Buffer.from(page.subarray(start, start + keyBytes));
    return { flags, key, value: Buffer.from(page.subarray(start + keyBytes, start + keyBytes + valueBytes)) };
  });
}

function written(elements: readonly Element[], head: Buffer, size = 0): Buffer {
  const heads = Buffer.alloc(headBytes + elements.length * elementBytes);
  head.copy(heads);
  heads.writeUInt16LE(elements.length, 10);
  let end = heads.length;
  for (const [index, { flags, key, value }] of elements.entries()) {
    const at = headBytes + index * elementBytes;
    for (const [field, number] of [flags, end - at, key.length, value.length].entries())
      heads.writeUInt32LE(number, at + field * 4);
    end += key.length + value.length;
  }
  const page = Buffer.concat([heads, ...elements.flatMap(({ key, value }) => [key, value])]);
  if (size > 0 && page.length > size) throw new RangeError('the page is full');
  return Buffer.concat([page, Buffer.alloc(Math.max(0, size - page.length))]);
}

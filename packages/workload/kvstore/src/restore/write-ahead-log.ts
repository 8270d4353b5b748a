import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';
import protobuf from 'protobufjs/minimal.js';

/** `Record.type` of an entry that members have agreed on, or will. */
const entryRecord = 2;
/** `Entry.type` of what is no change of the members. */
const normalEntry = 0;
/** Fields of `InternalRaftRequest` by which a cluster keeps itself: it writes them without any request of a client. */
const housekeeping: ReadonlySet<number> = new Set([
  1, // the request's number
  3, // a read
  7, // compaction
  10, // alarm
  11, // how long leases have left
  100, // who asks
  1300, // the cluster's version
  1301, // a member's name and addresses
  1302, // a downgrade
]);
/** A request of the older store, which is all that has it: a member's attributes. Clients can't write there. */
const olderStoreField = 2;
/** Bits of a frame's head that hold its length; those above say how it is padded. */
const lengthBits = 56n;

/**
 * Whether the log of a member has a change that a client asked for: a key, a lease, a user. Until it is applied and
 * committed the database knows nothing of it, though it was acknowledged; a member that is killed leaves it there. What can
 * not be read counts as one. The member must be stopped.
 *
 * @see https://etcd.io/docs/v3.5/learning/persistent-storage-files/
 */
export async function hasLoggedWrites(dataDirectory: string): Promise<boolean> {
  const directory = join(dataDirectory, 'member', 'wal');
  for (const name of (await namesIn(directory)).filter((each) => each.endsWith('.wal'))) {
    await using file = await open(join(directory, name), 'r');
    if (await hasWrite(file)) return true;
  }
  return false;
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

async function hasWrite(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  const head = Buffer.alloc(8);
  for (let at = 0; at + head.length <= size;) {
    await file.read(head, 0, head.length, at);
    const word = head.readBigUInt64LE();
    if (word === 0n) return false; // the rest was reserved, and nothing is there yet
    const length = Number(BigInt.asUintN(Number(lengthBits), word));
    const padding = word >> 63n === 0n ? 0 : Number((word >> lengthBits) & 7n);
    at += head.length;
    if (at + length > size) return true;
    const record = Buffer.alloc(length);
    await file.read(record, 0, length, at);
    if (isWrite(record)) return true;
    at += length + padding;
  }
  return false;
}

function isWrite(record: Uint8Array): boolean {
  try {
    const { numbers, bytes } = fieldsOf(record);
    if (numbers.get(1) !== entryRecord) return false;
    const entry = fieldsOf(bytes.get(3) ?? new Uint8Array());
    const request = entry.bytes.get(4);
    // A new leader's first entry is empty.
    if ((entry.numbers.get(1) ?? normalEntry) !== normalEntry || request === undefined) return false;
    const { all } = fieldsOf(request);
    return !all.has(olderStoreField) && [...all].some((field) => !housekeeping.has(field));
  } catch {
    return true; // no message, and nobody knows what it was
  }
}

type Fields = {
  readonly numbers: ReadonlyMap<number, number>;
  readonly bytes: ReadonlyMap<number, Uint8Array>;
  readonly all: ReadonlySet<number>;
};

/** The fields of a message, by their numbers; of its types only those that are asked for matter. */
function fieldsOf(message: Uint8Array): Fields {
  const reader = protobuf.Reader.create(message);
  const numbers = new Map<number, number>();
  const bytes = new Map<number, Uint8Array>();
  const all = new Set<number>();
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const field = tag >>> 3;
    all.add(field);
    if ((tag & 7) === 0) numbers.set(field, Number(reader.uint64()));
    else if ((tag & 7) === 2) bytes.set(field, reader.bytes());
    else reader.skipType(tag & 7);
  }
  return { numbers, bytes, all };
}

import { KV, type KeyValue, type RangeRequestInit } from '../gen/etcdserverpb.js';
import type { CallOptions, Kvstore } from './kvstore.ts';

/** A key's value and where it stands in history. */
export type Entry = {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly createRevision: bigint;
  readonly modRevision: bigint;
  /** How often it was written since it was created. */
  readonly version: bigint;
  /** The lease that it ends with; 0 when with none. */
  readonly lease: bigint;
};

export type ReadOptions = CallOptions & {
  /** The newest unless given. */
  readonly revision?: bigint | undefined;
  /** What the answering member has, which may be old: an answer without a leader. */
  readonly serializable?: boolean | undefined;
};

export type RangeOptions = ReadOptions & {
  /** Most entries; all unless given. */
  readonly limit?: number | undefined;
  readonly keysOnly?: boolean | undefined;
  /** Only keys from here on: the next page of a long answer. */
  readonly from?: Uint8Array | undefined;
};

export type Range = { readonly entries: readonly Entry[]; readonly revision: bigint; readonly count: bigint };

/** A key or its value: text is written as UTF-8. */
export type Text = Uint8Array | string;

/** The value of one key; undefined when there is none. */
export async function get(
  kvstore: Kvstore,
  key: Text,
  options: ReadOptions = {},
): Promise<Entry | undefined> {
  const { entries } = await range(kvstore, { key: bytesOf(key) }, options);
  return entries[0];
}

/** All keys that begin so, in the order of their bytes. */
export function getPrefix(kvstore: Kvstore, prefix: Text, options: RangeOptions = {}): Promise<Range> {
  const { key, rangeEnd } = prefixOf(prefix);
  return range(kvstore, { key: options.from ?? key, rangeEnd }, options);
}

/** @returns the revision in which it was written. */
export async function put(
  kvstore: Kvstore,
  key: Text,
  value: Text,
  options: CallOptions & { readonly lease?: bigint | undefined } = {},
): Promise<bigint> {
  const request = { key: bytesOf(key), value: bytesOf(value), lease: options.lease };
  const { header } = await kvstore.write(KV.put, request, { needsLeader: true, ...options });
  return header?.revision ?? 0n;
}

/** @returns how many keys there were. */
export async function deleteKey(kvstore: Kvstore, key: Text, options: CallOptions = {}): Promise<bigint> {
  const request = { key: bytesOf(key) };
  return (await kvstore.write(KV.deleteRange, request, { needsLeader: true, ...options })).deleted;
}

/** Deletes all keys that begin so. @returns how many there were. */
export async function deletePrefix(
  kvstore: Kvstore,
  prefix: Text,
  options: CallOptions = {},
): Promise<bigint> {
  return (await kvstore.write(KV.deleteRange, prefixOf(prefix), { needsLeader: true, ...options })).deleted;
}

/**
 * Forgets what was before a revision, on all members. Reads of older revisions fail from then on. The space can be used
 * again; files become no smaller before a defragmentation.
 *
 * @param options.physical answer when the member that was asked has done it, not only decided.
 * @param options.endpoint the member to ask.
 */
export async function compact(
  kvstore: Kvstore,
  revision: bigint,
  options: CallOptions & {
    readonly physical?: boolean | undefined;
    readonly endpoint?: string | undefined;
  } = {},
): Promise<void> {
  const { endpoint, physical } = options;
  const [request, limits] = [
    { revision, physical },
    { needsLeader: true, ...options },
  ];
  if (endpoint === undefined) await kvstore.write(KV.compact, request, limits);
  else await kvstore.at(endpoint, KV.compact, request, limits);
}

async function range(kvstore: Kvstore, keys: RangeRequestInit, options: RangeOptions): Promise<Range> {
  const { revision, serializable, limit, keysOnly } = options;
  const request = {
    ...keys,
    revision,
    serializable,
    keysOnly,
    limit: limit === undefined ? undefined : BigInt(limit),
  };
  const { kvs, count, header } = await kvstore.read(KV.range, request, {
    needsLeader: serializable !== true,
    ...options,
  });
  return { entries: kvs.map(entryOf), revision: header?.revision ?? 0n, count };
}

/** Without what only the protocol has. */
export function entryOf({ key, value, createRevision, modRevision, version, lease }: KeyValue): Entry {
  return { key, value, createRevision, modRevision, version, lease };
}

/** Text as UTF-8. */
export function bytesOf(text: Text): Uint8Array {
  return typeof text === 'string' ? Buffer.from(text) : text;
}

/** The keys from the prefix up to the first that is larger than all that begin with it; a zero byte means no end. */
export function prefixOf(prefix: Text): { key: Uint8Array; rangeEnd: Uint8Array } {
  const key = bytesOf(prefix);
  const end = Buffer.from(key);
  const last = end.findLastIndex((byte) => byte < 0xff);
  if (last === -1) return { key: key.length === 0 ? Buffer.alloc(1) : key, rangeEnd: Buffer.alloc(1) };
  end.writeUInt8(end.readUInt8(last) + 1, last);
  return { key, rangeEnd: end.subarray(0, last + 1) };
}

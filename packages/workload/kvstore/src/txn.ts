import { CompareResult, CompareTarget, KV, type KeyValue } from '../gen/etcdserverpb.js';
import { bytesOf, type Entry, entryOf, type Text } from './kv.ts';
import type { CallOptions, Kvstore } from './kvstore.ts';

/** What must hold of a key for a transaction to write: that its last write was in this revision, or 0n: that it is absent. */
export type Condition = { readonly key: Text; readonly modRevision: bigint };

/** One write; without a value the key is deleted. */
export type Write = { readonly key: Text; readonly value?: Text | undefined };

export type Transaction = {
  /** All of them must hold. */
  readonly conditions?: readonly Condition[];
  readonly writes?: readonly Write[];
  /** Keys to read where nothing is written: when a condition does not hold, or when there is nothing to write. */
  readonly reads?: readonly Text[];
};

export type TransactionResult = {
  /** Whether all conditions held, and the writes are done. */
  readonly succeeded: boolean;
  /** The one that it was written in, or that the reads show. */
  readonly revision: bigint;
  /** What was read, in the order of `reads`; empty when something was written. */
  readonly entries: readonly (Entry | undefined)[];
};

/**
 * Writes all or nothing, under one revision. A member takes 128 conditions, writes or reads unless it was started with
 * another `--max-txn-ops`.
 *
 * @throws {KvstoreError} `ERR_KVSTORE_INVALID` for more than that, or for more bytes than it takes at once.
 */
export async function transact(
  kvstore: Kvstore,
  { conditions = [], writes = [], reads = [] }: Transaction,
  options: CallOptions = {},
): Promise<TransactionResult> {
  const ranges = reads.map((key) => ({ requestRange: { key: bytesOf(key) } }));
  const request = {
    compare: conditions.map(({ key, modRevision }) => ({
      key: bytesOf(key),
      target: CompareTarget.MOD,
      result: CompareResult.EQUAL,
      modRevision,
    })),
    success: writes.length === 0 ? ranges : writes.map(requestOf),
    failure: ranges,
  };
  const limits = { needsLeader: true, ...options };
  // What writes nothing may be asked twice.
  const { header, succeeded, responses } =
    writes.length === 0
      ? await kvstore.read(KV.txn, request, limits)
      : await kvstore.write(KV.txn, request, limits);
  const isRead = writes.length === 0 || !succeeded;
  return {
    succeeded,
    revision: header?.revision ?? 0n,
    entries: isRead ? responses.map(({ responseRange }) => firstOf(responseRange?.kvs)) : [],
  };
}

function firstOf([first]: readonly KeyValue[] = []): Entry | undefined {
  return first === undefined ? undefined : entryOf(first);
}

function requestOf({ key, value }: Write): object {
  return value === undefined
    ? { requestDeleteRange: { key: bytesOf(key) } }
    : { requestPut: { key: bytesOf(key), value: bytesOf(value) } };
}

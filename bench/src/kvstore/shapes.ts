import type { Kvstore } from '@nodecore/kvstore';

// The package has no call for transactions: nobody but a filler of databases needs any.
import { KV, type RequestOpInit } from '../../../packages/workload/kvstore/gen/etcdserverpb.js';

/** What a database of 250 MB, or of a gigabyte, consists of. Programs pay by the key, hashes by the byte. */
export const shapes = {
  small: { title: 'values of 128 bytes', values: 1_150_000, valueBytes: 128, perTransaction: 128 },
  objects: {
    title: 'values of 4 kB, as objects of a cluster',
    values: 60_000,
    valueBytes: 4_000,
    perTransaction: 64,
  },
  gigabyte: {
    title: 'a gigabyte in values of 4 kB',
    values: 240_000,
    valueBytes: 4_000,
    perTransaction: 64,
  },
  large: { title: 'values of 1 MB', values: 250, valueBytes: 1_000_000, perTransaction: 1 },
} as const;

export type ShapeName = keyof typeof shapes;

const writers = 8;

export async function fill(kvstore: Kvstore, shape: ShapeName): Promise<void> {
  const { values, valueBytes, perTransaction } = shapes[shape];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let first = next; first < values; first = next) {
      next += perTransaction;
      const success: RequestOpInit[] = [];
      for (let index = first; index < Math.min(first + perTransaction, values); index += 1) {
        const key = Buffer.from(`/registry/things/${index}`);
        success.push({ requestPut: { key, value: Buffer.alloc(valueBytes, `${index} `) } });
      }
      await kvstore.write(KV.txn, { success });
    }
  };
  await Promise.all(Array.from({ length: writers }, work));
}

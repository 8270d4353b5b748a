import { type EtcdCluster } from '@nodecore/testkit';

import { KV, Lease, type RequestOpInit } from '../gen/etcdserverpb.js';
import { compact, deletePrefix, type Kvstore, put } from '../src/index.ts';

/** Fills a database in one of the ways that make different pages. */
export type Shape = { readonly name: string; fill(kvstore: Kvstore, cluster: EtcdCluster): Promise<void> };

/** Many small values, at most 128 in a transaction, which is what etcd takes. */
export async function fillSmall(kvstore: Kvstore, keys: number, valueBytes = 100): Promise<void> {
  for (let first = 0; first < keys; first += 128) {
    const success: RequestOpInit[] = [];
    for (let key = first; key < Math.min(first + 128, keys); key += 1) {
      const value = Buffer.alloc(valueBytes, `${key} `);
      success.push({ requestPut: { key: Buffer.from(`/registry/things/${key}`), value } });
    }
    await kvstore.write(KV.txn, { success });
  }
}

/** A page of a database as it could be found in a value: where it will lie by chance, it must not be believed. */
function forgedPages(bytes: number): Buffer {
  const value = Buffer.alloc(bytes);
  for (let at = 0; at + 16 <= bytes; at += 4096) {
    value.writeBigUInt64LE(BigInt(at / 4096 + 30), at);
    value.writeUInt16LE(2, at + 8);
    value.writeUInt16LE(1, at + 10);
  }
  return value;
}

export const shapes: readonly Shape[] = [
  { name: 'nothing', fill: () => Promise.resolve() },
  { name: 'many small values', fill: (kvstore) => fillSmall(kvstore, 12_000) },
  {
    name: 'few huge values',
    fill: async (kvstore) => {
      for (let index = 0; index < 6; index += 1) {
        await put(kvstore, `huge/${index}`, Buffer.alloc(1_400_000 + index * 4097, `${index}`));
      }
      await put(kvstore, 'forged', forgedPages(1_000_000));
    },
  },
  {
    name: 'deleted and compacted',
    fill: async (kvstore) => {
      await fillSmall(kvstore, 4_000);
      await fillSmall(kvstore, 2_000, 700);
      await deletePrefix(kvstore, '/registry/things/1');
      const revision = await put(kvstore, 'last', '');
      await compact(kvstore, revision, { physical: true });
      // Freed pages keep their headers; some are used again.
      await fillSmall(kvstore, 1_000, 300);
    },
  },
  {
    name: 'leases',
    fill: async (kvstore) => {
      for (let lease = 1n; lease <= 300n; lease += 1n) {
        await kvstore.write(Lease.leaseGrant, { ttl: 3_600n, id: lease });
        await put(kvstore, `leased/${lease}/outer`, 'x', { lease });
        await put(kvstore, `leased/${lease}/outer/inner`, 'y', { lease: (lease + 1n) / 2n });
      }
    },
  },
  {
    name: 'authentication',
    fill: async (kvstore, cluster) => {
      for (let index = 0; index < 30; index += 1) {
        await cluster.etcdctl('role', 'add', `role${index}`);
        await cluster.etcdctl(
          'role',
          'grant-permission',
          `role${index}`,
          '--prefix=true',
          'readwrite',
          `/${index}/`,
        );
      }
      await cluster.etcdctl('user', 'add', 'root', '--no-password');
      await cluster.etcdctl('user', 'grant-role', 'root', 'root');
      await put(kvstore, 'before', 'x');
      await cluster.etcdctl('auth', 'enable');
    },
  },
];

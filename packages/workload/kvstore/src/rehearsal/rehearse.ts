import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Backoff, systemClock } from '@nodecore/waiting';
import { Client, credentials, type ServiceError } from '@grpc/grpc-js';

import { KV, Maintenance } from '../../gen/etcdserverpb.js';
import type { Unary } from '../channel.ts';
import { isKvstoreError, KvstoreError } from '../errors.ts';
import { requirePath } from '../path.ts';
import { typed } from '../restore/hold.ts';
import { databaseIn } from '../restore/layout.ts';
import { restoreSnapshot } from '../restore/restore.ts';
import type { RestoreSnapshotOptions } from '../restore/restore-options.ts';
import type { SnapshotInfo } from '../snapshot/info.ts';
import { snapshotStatus } from '../snapshot/verify.ts';
import { statusError } from '../status-error.ts';
import { longestSocketBytes, MemberApart, socketName } from './apart.ts';

export type RehearsalOptions = Pick<
  RestoreSnapshotOptions,
  'file' | 'etcdutl' | 'skipHashCheck' | 'sha256' | 'onProgress' | 'signal'
> & {
  /** The server's program; `etcd` in the path unless given. */
  readonly etcd?: string | undefined;
  /** In which the copy is made, in a directory of its own that goes again; the system's for temporary files unless given. */
  readonly directory?: string | undefined;
};

/** A snapshot that a member was started with. */
export type Rehearsal = {
  readonly info: SnapshotInfo;
  /** Of the server that read it. */
  readonly version: string;
  /** From the file to a data directory, with all proofs. */
  readonly restoreMs: number;
  /** From there to the first answer for which a member needs its majority, which it is itself. */
  readonly startMs: number;
  /**
   * What of the keys was the same afterwards: all of them with their revisions; or the last revision, where a compaction was
   * under way when the snapshot was taken, which the member goes on with.
   */
  readonly compared: 'keyspace' | 'revision';
};

/** Of a member that is alone, and read its data from the page cache. */
const startTimeoutMs = 300_000;
const callTimeoutMs = 5_000;
const prefix = 'kvstore-rehearsal-';
const name = 'rehearsal';
const peerUrl = 'http://127.0.0.1:1';

/**
 * Proves that a snapshot can be gone back to: restores a copy apart, starts a member with it that no other process can
 * reach, has it answer, and compares what it then has with the file. Nothing of it is left.
 *
 * @throws {KvstoreError} of the file, of the programs, or `ERR_KVSTORE_FAILED` when the member has something else; or
 *   `signal.reason`.
 */
export async function rehearseRestore(options: RehearsalOptions): Promise<Rehearsal> {
  const { directory = tmpdir(), signal } = options;
  signal?.throwIfAborted();
  requirePath(directory);
  const own = await typed(directory, () => mkdtemp(join(directory, prefix)), signal); // mode 0700
  try {
    return await rehearseIn(own, options);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Removes what rehearsals left in a directory whose process was killed. None may run there. */
export async function removeRehearsals(directory: string): Promise<void> {
  await typed(directory, async () => {
    for (const left of (await readdir(directory)).filter((each) => each.startsWith(prefix)))
      await rm(join(directory, left), { recursive: true, force: true });
  });
}

async function rehearseIn(directory: string, options: RehearsalOptions): Promise<Rehearsal> {
  const { file, etcd = 'etcd', etcdutl, skipHashCheck, sha256, onProgress, signal } = options;
  const dataDirectory = join(directory, 'data');
  const cluster = { members: { [name]: [peerUrl] } };
  const wish = { file, etcdutl, skipHashCheck, sha256, onProgress, signal, dataDirectory, name, cluster };
  const began = performance.now();
  const info = await restoreSnapshot(wish);
  const restored = performance.now();
  if (Buffer.byteLength(join(directory, socketName)) > longestSocketBytes)
    throw new KvstoreError(
      'ERR_KVSTORE_INVALID',
      directory,
      'is too long a path for a socket in it; name a shorter one',
    );
  await using member = new MemberApart({ etcd, directory, dataDirectory, name, peerUrl });
  const { version, revision } = await answerOf(member, signal);
  const answered = performance.now();
  await member.stop();
  const found = await snapshotStatus(databaseIn(join(dataDirectory, 'member')), { signal });
  // A member counts from 1, and knows of compacted revisions of which the file has no entry any more.
  const isSame =
    revision >= info.revision &&
    found.revision === info.revision &&
    (info.compacting || (found.keyspaceHash === info.keyspaceHash && found.revisions === info.revisions));
  if (!isSame) {
    const words = `a member that was started with it has other keys: revision ${found.revision} with ${found.revisions} entries, of ${info.revision} with ${info.revisions}`;
    throw new KvstoreError('ERR_KVSTORE_FAILED', file, words);
  }
  return {
    info,
    version,
    restoreMs: restored - began,
    startMs: answered - restored,
    compared: info.compacting ? 'revision' : 'keyspace',
  };
}

/** The first answer, or why there is none to come. */
async function answerOf(
  member: MemberApart,
  signal: AbortSignal | undefined,
): Promise<{ readonly version: string; readonly revision: bigint }> {
  const stop = new AbortController();
  const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const answer = firstAnswer(member.socket, either);
  try {
    return await Promise.race([answer, member.failed]);
  } finally {
    stop.abort();
    await answer.catch(() => {});
  }
}

/** Waits until it has read a key as of now, and asks what it is. */
async function firstAnswer(
  socket: string,
  signal: AbortSignal,
): Promise<{ readonly version: string; readonly revision: bigint }> {
  const client = new Client(`unix:${socket}`, credentials.createInsecure(), {
    'grpc.initial_reconnect_backoff_ms': 50,
    'grpc.max_reconnect_backoff_ms': 500,
    'grpc.default_authority': 'localhost',
    'grpc.enable_http_proxy': 0,
  });
  const backoff = new Backoff({ firstMs: 20, largestMs: 500 });
  const end = performance.now() + startTimeoutMs;
  try {
    for (;;) {
      signal.throwIfAborted();
      try {
        await ask(client, socket, KV.range, { key: Buffer.from('health'), keysOnly: true }).catch(
          (error: unknown) => {
            if (!isKvstoreError(error, 'ERR_KVSTORE_DENIED')) throw error; // it has agreed that we may not read
          },
        );
        const { version, header } = await ask(client, socket, Maintenance.status, {});
        return { version, revision: header?.revision ?? 0n };
      } catch (error) {
        if (performance.now() > end || !isKvstoreError(error, ...startingUp)) throw error;
        await systemClock.sleep(backoff.next(), signal);
      }
    }
  } finally {
    client.close();
  }
}

const startingUp = ['ERR_KVSTORE_UNREACHABLE', 'ERR_KVSTORE_TIMEOUT', 'ERR_KVSTORE_NO_LEADER'] as const;

async function ask<RequestInit, Response>(
  client: Client,
  socket: string,
  method: Unary<RequestInit, Response>,
  request: RequestInit,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const done = (error: ServiceError | null, response?: Response): void => {
    if (error === null) resolve(response!);
    else reject(statusError(socket, error.code, error.details, error));
  };
  const { path, requestSerialize, responseDeserialize } = method;
  const limits = { deadline: new Date(Date.now() + callTimeoutMs) };
  client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, limits, done);
  return await promise;
}

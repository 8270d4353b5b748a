import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { Socket } from 'node:net';

import * as grpc from '@grpc/grpc-js';
import {
  ApiError,
  callStream,
  callUnary,
  callUpload,
  type ConnectOptions,
  OwnedChannel,
} from '@nodecore/api';
import type { Secret } from '@nodecore/sys';

import {
  type DoorRequestInit,
  type DoorResponse,
  type PingResponse,
  RemoteProvision,
  type RunResponse,
  type UploadArtifactRequestInit,
} from '../../gen/nodecore-clusters-v1.js';
import { ClusterError, type ClusterErrorCode } from '../errors.ts';
import type { RemoteRequest } from './messages.ts';

/** Where clusters are, and how the two ends know each other. */
export type RemoteOptions = {
  /** `host:port`, or `unix:/path` of a socket of this computer. */
  readonly endpoint: string;
  readonly token: Secret;
  /** SPKI SHA-256 of its certificate, or PEM of who vouches for it. */
  readonly trust: { readonly fingerprint: string } | { readonly ca: string };
};

type Call = { readonly signal?: AbortSignal };

const pieceBytes = 1 << 20;
const uploadLimitMs = 3_600_000;

/** Clusters on another computer. Every call rejects with a `ClusterError`, or with the reason of its signal. */
export class RemoteClusters implements Disposable {
  readonly #owned: OwnedChannel;
  readonly #authorization: () => string;

  constructor({ endpoint, token, trust }: RemoteOptions) {
    // HTTP/2 takes no bytes for a header.
    this.#authorization = () => `Bearer ${Buffer.from(token.bytes).toString('latin1')}`;
    const sign = (): Promise<Readonly<Record<string, string>>> =>
      Promise.resolve({ authorization: this.#authorization() });
    const options: ConnectOptions =
      'ca' in trust
        ? { endpoint, ca: trust.ca, sign }
        : { endpoint, insecure: true, fingerprints: [trust.fingerprint], sign };
    this.#owned = new OwnedChannel(options);
  }

  /** Who answers. */
  async ping({ signal }: Call = {}): Promise<PingResponse> {
    return await told(
      callUnary(this.#owned.channel, RemoteProvision.ping, {}, { signal, timeoutMs: 10_000 }),
    );
  }

  /** Brings a file there unless its like is there already. @returns its SHA-256, by which a request names it. */
  async bring(path: string, { signal }: Call = {}): Promise<string> {
    const hash = createHash('sha256');
    for await (const piece of createReadStream(path, { signal })) hash.update(piece as Buffer);
    const sha256 = hash.digest('hex');
    const { channel } = this.#owned;
    const { exists } = await told(callUnary(channel, RemoteProvision.statArtifact, { sha256 }, { signal }));
    if (exists) return sha256;
    async function* requests(): AsyncGenerator<UploadArtifactRequestInit> {
      yield { sha256 };
      for await (const data of createReadStream(path, { highWaterMark: pieceBytes, signal }))
        yield { data: data as Buffer };
    }
    const limits = { signal, timeoutMs: uploadLimitMs };
    await told(callUpload(channel, RemoteProvision.uploadArtifact, requests(), limits));
    return sha256;
  }

  /** Runs a command there. What it says comes as it says it, its end last. */
  async *run(request: RemoteRequest, { signal }: Call = {}): AsyncGenerator<RunResponse, void, void> {
    const { words, arguments: given, flags } = request;
    const whole = { words: [...words], arguments: [...given], flags: [...flags] };
    try {
      yield* callStream(this.#owned.channel, RemoteProvision.run, whole, { signal });
    } catch (error) {
      throw inOurWords(error);
    }
  }

  /** Joins a connection with the API of a machine there, until it ends. */
  async joinDoor(socket: Socket, cluster: string, machine: string): Promise<void> {
    const { door } = RemoteProvision;
    const metadata = new grpc.Metadata();
    metadata.set('authorization', this.#authorization());
    const call = this.#owned.channel.client.makeBidiStreamRequest<DoorRequestInit, DoorResponse>(
      door.path,
      door.requestSerialize,
      door.responseDeserialize,
      metadata,
    );
    const failed = new AbortController();
    socket.on('error', () => call.cancel());
    socket.on('close', () => call.cancel());
    call.on('error', () => failed.abort());
    const { signal } = failed;
    const outward = async (): Promise<void> => {
      call.write({ cluster, machine });
      for await (const data of socket)
        if (!call.write({ data: data as Buffer })) await once(call, 'drain', { signal });
      call.end();
    };
    outward().catch(() => call.cancel());
    try {
      for await (const message of call)
        if (!socket.write((message as DoorResponse).data)) await once(socket, 'drain', { signal });
      socket.end();
    } catch {
      socket.destroy();
    }
  }

  [Symbol.dispose](): void {
    this.#owned.close();
  }
}

async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw inOurWords(error);
  }
}

const codes: Readonly<Partial<Record<string, ClusterErrorCode>>> = {
  ERR_API_UNREACHABLE: 'ERR_CLUSTER_REMOTE',
  ERR_API_TIMEOUT: 'ERR_CLUSTER_REMOTE',
  ERR_API_FINGERPRINT: 'ERR_CLUSTER_REMOTE_DENIED',
  ERR_API_UNTRUSTED: 'ERR_CLUSTER_REMOTE_DENIED',
  ERR_API_UNAUTHENTICATED: 'ERR_CLUSTER_REMOTE_DENIED',
  ERR_API_DENIED: 'ERR_CLUSTER_REMOTE_DENIED',
  ERR_API_INVALID: 'ERR_CLUSTER_REQUEST',
  ERR_API_NOT_FOUND: 'ERR_CLUSTER_NOT_FOUND',
};

/** What the client of nodes says speaks of nodes. */
function inOurWords(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  return new ClusterError(codes[error.code] ?? 'ERR_CLUSTER_KEEPER', error.message, { cause: error });
}

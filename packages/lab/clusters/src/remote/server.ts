import { once } from 'node:events';
import type { Socket } from 'node:net';
import { arch } from 'node:os';

import * as grpc from '@grpc/grpc-js';
import { failure, statusOfKind } from '@nodecore/api';
import { kindOf, releaseVersion } from '@nodecore/sys/pure';

import { RemoteProvision, type RemoteProvisionHandlers } from '../../gen/nodecore-clusters-v1.js';
import { ClusterError } from '../errors.ts';
import type { ArtifactStore } from './artifacts.ts';
import { Callers } from './callers.ts';
import type { RemoteCredentials } from './credentials.ts';
import { type DoorOf, passThrough } from './door.ts';
import { Entrance, type RemoteListen } from './entrance.ts';
import { type RemoteLimits, usualLimits } from './limits.ts';
import type { RemoteRequest, RemoteRun } from './messages.ts';

/** What a server for clusters needs. */
export type RemoteServerOptions = {
  readonly listen: RemoteListen;
  readonly credentials: Pick<RemoteCredentials, 'crt' | 'key' | 'isToken'>;
  readonly artifacts: ArtifactStore;
  /** Does what a caller asks for. */
  readonly run: RemoteRun;
  readonly doorOf: DoorOf;
  /** 256 connections unless given. */
  readonly limits?: RemoteLimits;
};

/** A server for clusters; closing it ends its calls, and no cluster. */
export type RemoteServer = AsyncDisposable & {
  /** `host:port`, or `unix:` and the path. */
  readonly endpoint: string;
};

/** Of a message: what an image or a connection is sent in. */
export const largestPieceBytes: number = 1 << 20;

const grpcOptions = {
  'grpc.max_receive_message_length': 4 * largestPieceBytes,
  'grpc.max_concurrent_streams': 256, // a connection through a door is one
  'grpc.max_connection_idle_ms': 300_000,
  // Who is gone without a word, as a computer that sleeps, has a place of those with the token.
  'grpc.keepalive_time_ms': 60_000,
  'grpc.keepalive_timeout_ms': 20_000,
};

/**
 * Serves the clusters of this computer to others, over TLS, to who has the token. Without it no call comes so far that anything of it is
 * read.
 *
 * @throws {Error} of the system for an address that can't be listened at, of OpenSSL for a certificate or key that is none.
 */
export async function serveRemote(options: RemoteServerOptions): Promise<RemoteServer> {
  const { listen, credentials, limits = usualLimits } = options;
  const callers = new Callers(limits);
  const server = new grpc.Server({ ...grpcOptions, interceptors: [admitting(credentials, callers)] });
  server.addService(RemoteProvision, { ...handlersOf(options) });
  // It gives no say in who may connect, so that it gets connections whose handshake is over.
  const injector = server.createConnectionInjector(grpc.ServerCredentials.createInsecure());
  const serve = (socket: Socket): void => injector.injectConnection(socket);
  const entrance = new Entrance({ credentials, limits, callers, serve });
  const endpoint = await entrance.listen(listen);
  return {
    endpoint,
    [Symbol.asyncDispose]: async () => {
      const closed = entrance.close();
      server.forceShutdown();
      await closed;
    },
  };
}

/** Ends calls without the token at their headers: a message of theirs would be collected before any handler has it. */
function admitting(
  { isToken }: Pick<RemoteCredentials, 'isToken'>,
  callers: Callers,
): grpc.ServerInterceptor {
  return (_method, call) =>
    new grpc.ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, received) => {
            const [text] = metadata.get('authorization');
            if (typeof text !== 'string' || !text.startsWith('Bearer ') || !isToken(text.slice(7)))
              call.sendStatus(strange);
            else if (callers.admit(call.getConnectionInfo())) received(metadata);
            else call.sendStatus(full);
          },
        }),
    });
}

const strange = { code: grpc.status.UNAUTHENTICATED, details: 'the token is missing, or another one' };
const full = { code: grpc.status.UNAVAILABLE, details: 'too many callers are there: try again later' };

function handlersOf({ artifacts, run, doorOf }: RemoteServerOptions): RemoteProvisionHandlers {
  return {
    ping: (_call, done) => {
      answer(done, () =>
        Promise.resolve({ serverVersion: releaseVersion, hostArch: arch() === 'x64' ? 'amd64' : arch() }),
      );
    },
    statArtifact: (call, done) => {
      answer(done, async () => {
        return { exists: (await artifacts.find(call.request.sha256)) !== undefined };
      });
    },
    uploadArtifact: (call, done) => {
      answer(done, async () => {
        const messages = call[Symbol.asyncIterator]();
        const first = await messages.next();
        const sha256 = first.done === true ? '' : (first.value as { readonly sha256: string }).sha256;
        if ((await artifacts.find(sha256)) === undefined)
          await artifacts.receive(sha256, pieces(call, messages));
        return {};
      });
    },
    run: (call) => {
      void stream(call, async (signal) => {
        const end = await run(requestOf(call.request), {
          write: async (piece) => await send(call, piece, signal),
          signal,
        });
        await send(call, { end }, signal);
      });
    },
    door: (call) => {
      void stream(call, async (signal) => {
        await passThrough(call, doorOf, signal);
      });
    },
  };
}

function requestOf({
  words,
  arguments: given,
  flags,
}: {
  readonly words: readonly string[];
  readonly arguments: readonly string[];
  readonly flags: RemoteRequest['flags'];
}): RemoteRequest {
  return { words, arguments: given, flags };
}

/** What comes behind the first message. A caller that goes in the middle has not sent all. */
async function* pieces(
  call: { readonly cancelled: boolean },
  messages: AsyncIterator<unknown>,
): AsyncGenerator<Uint8Array> {
  for (;;) {
    const next = await messages.next();
    if (call.cancelled) throw new ClusterError('ERR_CLUSTER_REQUEST', 'the caller went away');
    if (next.done === true) return;
    const { data, sha256 } = next.value as { readonly data: Uint8Array; readonly sha256: string };
    if (sha256 !== '' || data.length > largestPieceBytes)
      throw new ClusterError('ERR_CLUSTER_REQUEST', 'a piece has at most 1 MiB, and nothing else');
    yield data;
  }
}

/** @throws {Error} of the signal, when nobody takes it any more */
async function send<Response>(
  call: {
    readonly write: (message: Response) => boolean;
    readonly once: (event: 'drain', listener: () => void) => unknown;
  },
  message: Response,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (!call.write(message)) await once(call as never, 'drain', { signal });
}

function answer<Response>(done: grpc.sendUnaryData<Response>, work: () => Promise<Response>): void {
  void answered(done, work);
}

async function answered<Response>(
  done: grpc.sendUnaryData<Response>,
  work: () => Promise<Response>,
): Promise<void> {
  try {
    done(null, await work());
  } catch (error) {
    done(statusOf(error));
  }
}

async function stream(
  call: {
    readonly end: () => void;
    readonly emit: (event: 'error', error: unknown) => boolean;
    readonly on: (event: 'cancelled', listener: () => void) => unknown;
  },
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const gone = new AbortController();
  call.on('cancelled', () => gone.abort(new Error('the caller went away')));
  try {
    await work(gone.signal);
    call.end();
  } catch (error) {
    call.emit('error', statusOf(error));
  }
}

function statusOf(error: unknown): Partial<grpc.StatusObject> {
  const words = error instanceof Error ? error.message : String(error);
  return failure(statusOfKind(kindOf(error) ?? 'internal'), words);
}

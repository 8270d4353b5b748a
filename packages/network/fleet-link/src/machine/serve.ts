import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

import { onAbort } from '@nodecore/waiting';

import { beat } from '../heartbeat.ts';
import type { LinkIdentity } from '../identity.ts';
import { type LinkLimits, sessionOptions, sessionWindowBytes } from '../limits.ts';
import { readMessages, writeLine } from '../lines.ts';
import { paths } from '../protocol.ts';
import { type MachineFacts, type ProvisionAnswer, provisionMessage, readAnswer } from '../provision.ts';

/** What a machine has for its fleet. */
export type MachineHandlers = {
  /** Asked anew for each Provision message. */
  readonly facts: () => MachineFacts | Promise<MachineFacts>;
  /** What the fleet says. The next answer waits until it is done. */
  readonly answered: (answer: ProvisionAnswer) => Promise<void>;
  /** Who takes the streams of a CONNECT, by target; no other target is opened. */
  readonly targets: ReadonlyMap<string, (stream: Duplex) => void>;
  /** Messages for the fleet until the signal fires, each one JSON. */
  readonly events: (signal: AbortSignal) => AsyncIterable<object>;
  /** Lines of the machine's log until the signal fires. Longer ones than the link takes are cut. */
  readonly logs: (signal: AbortSignal) => AsyncIterable<string>;
};

export type ServeOptions = {
  readonly socket: TLSSocket;
  readonly identity: LinkIdentity;
  readonly joinToken: string | undefined;
  readonly handlers: MachineHandlers;
  readonly limits: LinkLimits;
};

/**
 * Serves the fleet on a connection whose certificate was checked, until it ends.
 *
 * @returns what the fleet said last.
 * @throws {Error} what has ended the session, where it was not the fleet.
 */
export async function serveFleet(
  options: ServeOptions,
  signal: AbortSignal,
): Promise<ProvisionAnswer | undefined> {
  const { socket, limits } = options;
  const session = performServerHandshake(socket, {
    ...sessionOptions,
    settings: { ...sessionOptions.settings, maxConcurrentStreams: limits.maxStreams },
    streamResetBurst: 200,
    streamResetRate: 20,
  });
  const ended = new AbortController();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  session.on('connect', () => session.setLocalWindowSize(sessionWindowBytes));
  session.on('error', reject);
  session.on('close', () => {
    ended.abort();
    resolve();
  });
  using _abort = onAbort(signal, () => session.destroy());
  const life: Life = { ...options, ended: ended.signal, answer: undefined };
  session.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => {}); // the fleet closed it
    void answerStream(life, stream, headers).catch(() => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
  });
  beat(session, limits.heartbeatMs);
  try {
    await promise;
  } finally {
    socket.destroy();
  }
  return life.answer;
}

type Life = ServeOptions & { readonly ended: AbortSignal; answer: ProvisionAnswer | undefined };

async function answerStream(
  life: Life,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): Promise<void> {
  const { handlers } = life;
  if (headers[':method'] === 'CONNECT') {
    const take = handlers.targets.get(headers[':authority'] ?? '');
    if (take === undefined) {
      refuse(stream, constants.HTTP_STATUS_FORBIDDEN);
      return;
    }
    stream.respond({ ':status': 200 });
    take(stream);
    return;
  }
  const path = `${headers[':method']} ${headers[':path']}`;
  if (path === `POST ${paths.provision}`) await provision(life, stream);
  else if (path === `GET ${paths.events}`)
    await tell(life, stream, asJson(handlers.events(closing(life, stream))));
  else if (path === `GET ${paths.logs}`)
    await tell(life, stream, cut(handlers.logs(closing(life, stream)), life.limits.maxLogBytes));
  else refuse(stream, constants.HTTP_STATUS_NOT_FOUND);
}

async function provision(life: Life, stream: ServerHttp2Stream): Promise<void> {
  const { identity, joinToken, handlers, socket, limits } = life;
  stream.respond({ ':status': 200 });
  const message = await provisionMessage(identity, joinToken, await handlers.facts(), socket);
  await writeLine(stream, JSON.stringify(message), life.ended);
  for await (const answer of readMessages(stream, limits.maxMessageBytes)) {
    life.answer = readAnswer(answer);
    await handlers.answered(life.answer);
  }
  stream.end();
}

async function tell(
  life: Life,
  stream: ServerHttp2Stream,
  lines: AsyncIterable<string | Buffer>,
): Promise<void> {
  stream.respond({ ':status': 200 });
  const signal = closing(life, stream);
  try {
    for await (const line of lines) {
      if (signal.aborted) return;
      await writeLine(stream, line, signal);
    }
    stream.end();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Fires when the stream or the link is closed. */
function closing({ ended }: Life, stream: ServerHttp2Stream): AbortSignal {
  const closed = new AbortController();
  if (stream.closed) closed.abort();
  else stream.once('close', () => closed.abort());
  return AbortSignal.any([ended, closed.signal]);
}

async function* asJson(messages: AsyncIterable<object>): AsyncGenerator<string, void, undefined> {
  for await (const message of messages) yield JSON.stringify(message);
}

async function* cut(lines: AsyncIterable<string>, maxBytes: number): AsyncGenerator<Buffer, void, undefined> {
  for await (const line of lines) {
    const bytes = Buffer.from(line.replaceAll('\n', ' '));
    yield bytes.subarray(0, maxBytes);
  }
}

function refuse(stream: ServerHttp2Stream, status: number): void {
  stream.respond({ ':status': status }, { endStream: true });
}

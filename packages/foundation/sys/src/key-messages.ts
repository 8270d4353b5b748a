import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';

import { Secret } from './secret.ts';

/** Published by Node.js for every stream that an HTTP/2 server of this process begins to serve. */
const channel = 'http2.server.stream.start';

type Started = { readonly stream: ServerHttp2Stream; readonly headers: IncomingHttpHeaders };

/**
 * Overwrites what HTTP/2 servers of this process have received and sent in calls of these paths, as soon as they are over. grpc-js
 * copies messages out of what it gets, and into what it sends, and leaves the rest to the collector; the messages themselves are
 * their reader's to overwrite.
 */
export function wipeMessages(paths: ReadonlySet<string>): Disposable {
  const follow = (message: unknown): void => {
    const { stream, headers } = message as Started;
    if (paths.has(headers[':path'] ?? '')) wipeBehind(stream);
  };
  subscribe(channel, follow);
  return { [Symbol.dispose]: () => void unsubscribe(channel, follow) };
}

function wipeBehind(stream: ServerHttp2Stream): void {
  const received: Uint8Array[] = [];
  const sent: Uint8Array[] = [];
  // Its reader has not come yet: it sees the same bytes after us, and all of them before the end.
  stream.on('data', (chunk: Uint8Array) => void received.push(chunk));
  stream.once('end', () => wipe(received));
  const write = stream.write.bind(stream) as (chunk: unknown, ...more: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...more: unknown[]): boolean => {
    if (chunk instanceof Uint8Array) sent.push(chunk);
    return write(chunk, ...more);
  };
  stream.once('close', () => {
    wipe(received);
    wipe(sent);
  });
}

function wipe(chunks: Uint8Array[]): void {
  for (const chunk of chunks.splice(0)) chunk.fill(0);
  Secret.wipeTraces();
}

import type { ServerResponse } from 'node:http';

import type { ByteRange } from '@nodecore/oci';
import type { View } from '@nodecore/view';

import { pump } from './pump.ts';
import { sendView } from './send-view.ts';

/** What is sent: whole and at once, or a range of a view as the client takes it. Headers are complete, `content-length` too. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?:
    | Uint8Array
    | ({ readonly blob: View } & ByteRange)
    /** As somebody else sends it. */
    | { readonly chunks: AsyncIterable<Uint8Array> };
  /** What the body needs until it is sent. */
  readonly held?: Disposable;
};

/** Below this a body goes out in one write. */
const small = 64 * 1024;

/** How an answer is sent. */
export type Sending = {
  readonly method: string;
  /** How long a client may take nothing. */
  readonly stallMs: number;
  /** Told when the first byte is handed to the socket. */
  readonly onFirstByte: () => void;
};

/**
 * Sends an answer, without its body for HEAD. Resolves when all of it is handed to the socket, or the client is gone.
 *
 * @returns why the body could not be read to its end; undefined when it could.
 */
export async function send(
  answer: Answer,
  response: ServerResponse,
  { method, stallMs, onFirstByte }: Sending,
): Promise<unknown> {
  const { status, headers, body } = answer;
  response.writeHead(status, headers);
  if (method === 'HEAD' || body === undefined) {
    end(response, undefined, stallMs);
    onFirstByte();
    return undefined;
  }
  if (body instanceof Uint8Array) {
    if (body.length > small) return await pump(partsOf(body), response, { stallMs, onFirstByte });
    end(response, body, stallMs);
    onFirstByte();
    return undefined;
  }
  if ('chunks' in body) return await pump(body.chunks, response, { stallMs, onFirstByte });
  const { blob, start, end: last } = body;
  if (last - start > small) {
    return await sendView(blob, { start, end: last }, response, { stallMs, onFirstByte });
  }
  try {
    end(response, await blob.slice(start, last).bytes(), stallMs);
    onFirstByte();
    return undefined;
  } catch (error) {
    response.destroy();
    return error;
  }
}

/** Ends an answer in one write, and the connection of a client that does not take it. */
function end(response: ServerResponse, body: Uint8Array | undefined, stallMs: number): void {
  if (response.destroyed) return; // it says so once
  const stalled = setTimeout(() => response.destroy(), stallMs);
  response.once('close', () => clearTimeout(stalled));
  response.end(body);
}

function* partsOf(body: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < body.length; start += small) yield body.subarray(start, start + small);
}

/** A text that fits into one write. */
export function textAnswer(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const body = Buffer.from(text);
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'content-length': `${body.length}`, ...headers },
    body,
  };
}

/** A value as JSON. */
export function jsonAnswer(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return textAnswer(status, `${JSON.stringify(value)}\n`, { 'content-type': 'application/json', ...headers });
}

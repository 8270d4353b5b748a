import type { ServerResponse } from 'node:http';

import type { ByteRange } from '@nodecore/oci';
import type { View } from '@nodecore/view';

import { pump } from './pump.ts';

/** What is sent: whole and at once, or a range of a view as the client takes it. Headers are complete, `content-length` too. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | ({ readonly blob: View } & ByteRange);
};

/** Below this a body goes out in one write. */
const small = 64 * 1024;

/** Sends an answer, without its body for HEAD. Resolves when all of it is handed to the socket, or the client is gone. */
export async function send(
  answer: Answer,
  method: string,
  response: ServerResponse,
  stallMs: number,
): Promise<void> {
  const { status, headers, body } = answer;
  response.writeHead(status, headers);
  if (method === 'HEAD' || body === undefined) response.end();
  else if (body instanceof Uint8Array) response.end(body);
  else if (body.end - body.start <= small) {
    const bytes = await body.blob
      .slice(body.start, body.end)
      .bytes()
      .catch(() => undefined);
    if (bytes === undefined) response.destroy();
    else response.end(bytes);
  } else {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    await pump(
      body.blob.stream({ start: body.start, end: body.end, signal: gone.signal }),
      response,
      stallMs,
    );
  }
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

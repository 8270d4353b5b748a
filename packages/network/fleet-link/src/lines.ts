import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

import { LinkError } from './errors.ts';

const lineEnd = 0x0a;

/**
 * The lines of a stream, without their ends. What is left at the end without one is not a line.
 *
 * @throws {LinkError} `ERR_LINK_TOO_LARGE` for a longer one, before it is there as a whole.
 */
export async function* readLines(
  stream: Readable,
  maxBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  let parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(lineEnd); end >= 0; end = chunk.indexOf(lineEnd, from)) {
      if (sizeBytes + end - from > maxBytes) throw tooLarge(maxBytes);
      yield Buffer.concat([...parts, chunk.subarray(from, end)]);
      parts = [];
      sizeBytes = 0;
      from = end + 1;
    }
    parts.push(chunk.subarray(from));
    sizeBytes += chunk.length - from;
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
    if (parts.length > 64) parts = [Buffer.concat(parts)]; // one byte at a time is not to cost an object each
  }
}

/** The same as JSON. @throws {LinkError} `ERR_LINK_PROTOCOL` for a line that is not. */
export async function* readMessages(
  stream: Readable,
  maxBytes: number,
): AsyncGenerator<unknown, void, undefined> {
  for await (const line of readLines(stream, maxBytes)) yield parse(line);
}

/** Writes one line, and waits until the other end has taken what was there before. */
export async function writeLine(
  stream: Writable,
  line: string | Uint8Array,
  signal?: AbortSignal,
): Promise<void> {
  stream.cork();
  stream.write(line);
  const isTaken = stream.write('\n');
  stream.uncork();
  if (!isTaken) await once(stream, 'drain', signal === undefined ? {} : { signal });
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    throw new LinkError('ERR_LINK_PROTOCOL', 'a message of the link is not JSON'); // no cause: it has the text
  }
}

function tooLarge(maxBytes: number): LinkError {
  return new LinkError('ERR_LINK_TOO_LARGE', `a line of the link is longer than ${maxBytes} bytes`);
}

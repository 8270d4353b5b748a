import type { Readable } from 'node:stream';

import { ForwardError } from './errors.ts';

const headerBytes = 5;

/** A message as gRPC sends it over HTTP/2: not compressed, its length, its bytes. */
export function frame(message: Uint8Array): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(message.byteLength, 1);
  return Buffer.concat([header, message]);
}

/**
 * The messages of a stream.
 *
 * @param seen is given the bytes as they come, and those of each message.
 * @throws {ForwardError} `ERR_FORWARD_MESSAGE` for one that is larger, or compressed.
 */
export async function* messages(
  stream: Readable,
  maxBytes: number,
  seen: (bytes: Uint8Array) => void = () => {},
): AsyncGenerator<Buffer, void, undefined> {
  let parts: Buffer[] = [];
  let sizeBytes = 0;
  let wanted = headerBytes;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    seen(chunk);
    parts.push(chunk);
    sizeBytes += chunk.length;
    while (sizeBytes >= wanted) {
      const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
      const length = bytes.readUInt32BE(1);
      if (length > maxBytes || bytes[0] !== 0)
        throw new ForwardError('ERR_FORWARD_MESSAGE', 'a message of the node is too large to be passed on');
      wanted = headerBytes + length;
      parts = [bytes];
      if (bytes.length < wanted) break;
      seen(bytes);
      yield bytes.subarray(headerBytes, wanted);
      parts = [bytes.subarray(wanted)];
      sizeBytes = parts[0]!.length;
      wanted = headerBytes;
    }
  }
}

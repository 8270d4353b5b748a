import type { Readable } from 'node:stream';

import { FleetError } from '../errors.ts';

const headerBytes = 5;

/** A message as gRPC sends it over HTTP/2: not compressed, its length, its bytes. */
export function frame(message: Uint8Array): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(message.byteLength, 1);
  return Buffer.concat([header, message]);
}

/** The messages of a stream. @throws {FleetError} `ERR_FLEET_LIMIT` for one that is larger, or compressed. */
export async function* messages(stream: Readable, maxBytes: number): AsyncGenerator<Buffer, void, undefined> {
  let parts: Buffer[] = [];
  let sizeBytes = 0;
  let wanted = headerBytes;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    parts.push(chunk);
    sizeBytes += chunk.length;
    while (sizeBytes >= wanted) {
      const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
      const length = bytes.readUInt32BE(1);
      if (length > maxBytes || bytes[0] !== 0)
        throw new FleetError('ERR_FLEET_LIMIT', 'a message of the node is too large to be passed on');
      wanted = headerBytes + length;
      parts = [bytes];
      if (bytes.length < wanted) break;
      yield bytes.subarray(headerBytes, wanted);
      parts = [bytes.subarray(wanted)];
      sizeBytes = parts[0]!.length;
      wanted = headerBytes;
    }
  }
}

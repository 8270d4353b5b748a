import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';

import type { Metadata } from '@grpc/grpc-js';
import { CaptureService } from '@nodecore/api/capture';
import { FileService } from '@nodecore/api/file';
import { KvstoreService } from '@nodecore/api/kvstore';
import { batchHeadroomBytes } from '@nodecore/capture';
import { snapshotHeadroomBytes } from '@nodecore/kvstore';
import { fileHeadroomBytes } from '@nodecore/native/files';

/** A message whose field `data` may have many bytes. */
type WithData = { readonly data?: Uint8Array | undefined };

type Place = {
  /** The number of the field `data`. */
  readonly field: number;
  /** Bytes in front of it, from the beginning of its buffer, that are free. */
  readonly headroomBytes: number;
};

const ofFiles: Place = { field: 1, headroomBytes: fileHeadroomBytes };

/** Calls whose answers come by the megabyte: pieces of a snapshot, batches of packets, files and lists of them. */
const places: ReadonlyMap<string, Place> = new Map([
  [KvstoreService.snapshot.path, { field: 1, headroomBytes: snapshotHeadroomBytes }],
  [CaptureService.capture.path, { field: 2, headroomBytes: batchHeadroomBytes }],
  [FileService.list.path, ofFiles],
  [FileService.usage.path, ofFiles],
  [FileService.read.path, ofFiles],
]);

/** Which stream is whose: gRPC passes headers on, and no stream. A client's own is taken away. */
const tag = 'nodecore-direct-answers';

/**
 * Answers that go from where they are onto their HTTP/2 stream. grpc-js would make two copies of each: as protobuf, and behind
 * the prefix of its length.
 *
 * @see docs/decisions/snapshot-stream.md
 */
export class DirectAnswers {
  readonly #streams = new Map<string, ServerHttp2Stream>();

  /** A new stream, whose headers gRPC has not read yet; they are changed. */
  look(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    delete headers[tag];
    if (!places.has(headers[':path'] ?? '')) return;
    const name = randomUUID();
    headers[tag] = name;
    this.#streams.set(name, stream);
    stream.once('close', () => this.#streams.delete(name));
  }

  /** The stream of a call by its metadata, which lose the mark of it; undefined for calls that gRPC answers. */
  take(metadata: Metadata): ServerHttp2Stream | undefined {
    const [name] = metadata.get(tag);
    metadata.remove(tag);
    return this.#streams.get(String(name));
  }
}

/**
 * Sends an answer, when there is room in front of its bytes and the headers are sent, which are gRPC's.
 *
 * @param sent is called when the bytes may be used again; never when the stream ends before.
 * @returns false when gRPC has to send it.
 */
export function sendDirectly(
  stream: ServerHttp2Stream,
  path: string,
  message: WithData,
  sent: () => void,
): boolean {
  if (!stream.headersSent) return false;
  const frame = framed(path, message);
  if (frame === undefined) return false;
  stream.write(frame, (error) => {
    if (error === undefined || error === null) sent();
  });
  return true;
}

/**
 * An answer as gRPC has it on the stream, in the memory of its data: the bytes in front of that are written to. Undefined when there
 * is no room for it, no data, or more than data.
 */
export function framed(path: string, message: WithData): Buffer | undefined {
  const place = places.get(path);
  const { data } = message;
  if (place === undefined || data === undefined || data.length === 0) return undefined;
  if (data.byteOffset !== place.headroomBytes || !isAlone(message)) return undefined;
  const prefix = [(place.field << 3) | 2];
  let left = data.length;
  for (; left >= 0x80; left >>>= 7) prefix.push((left & 0x7f) | 0x80);
  prefix.push(left);
  const length = prefix.length + data.length;
  const begin = data.byteOffset - prefix.length - lengthBytes;
  const frame = Buffer.from(data.buffer, begin, lengthBytes + length);
  frame[0] = 0; // not compressed
  frame.writeUInt32BE(length, 1);
  frame.set(prefix, lengthBytes);
  return frame;
}

/** What gRPC has in front of a message. */
const lengthBytes = 5;

/** No field but the data is set. */
function isAlone(message: WithData): boolean {
  return Object.values(message).filter((value) => value !== undefined).length === 1;
}

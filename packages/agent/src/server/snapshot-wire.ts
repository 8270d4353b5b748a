import { KvstoreService, type KvstoreSnapshotResponseInit } from '@nodecore/api';
import { snapshotHeadroomBytes } from '@nodecore/kvstore';

/** The field `data` of `KvstoreSnapshotResponse`, as protobuf begins it. */
const dataTag = (1 << 3) | 2;

/**
 * The service with an encoding of its own for pieces of a snapshot: they are encoded where they are, in the headroom that
 * `snapshotStream` leaves in front of them. The general one would make a buffer of every piece.
 */
export const kvstoreServiceInPlace: typeof KvstoreService = {
  ...KvstoreService,
  snapshot: { ...KvstoreService.snapshot, responseSerialize: encodeSnapshot },
};

/** What the general encoding makes of the message, too. A piece's bytes in front of it are written to. */
export function encodeSnapshot(response: KvstoreSnapshotResponseInit): Buffer {
  const { data, totalBytes } = response;
  if (data === undefined || totalBytes !== undefined || !hasHeadroom(data)) {
    return KvstoreService.snapshot.responseSerialize(response);
  }
  const prefix = [dataTag];
  let left = data.length;
  for (; left >= 0x80; left >>>= 7) prefix.push((left & 0x7f) | 0x80);
  prefix.push(left);
  const begin = data.byteOffset - prefix.length;
  const message = Buffer.from(data.buffer, begin, prefix.length + data.length);
  message.set(prefix);
  return watched(message, response);
}

/** By message, where grpc-js has copied its encoding to. */
const copies = new WeakMap<KvstoreSnapshotResponseInit, ArrayBuffer>();

/**
 * Gives back the memory of the copy that grpc-js made to send a message, which must be on its way. A quarter of a gigabyte of
 * copies that wait for V8's collector makes that look through everything four times.
 */
export function releaseSent(response: KvstoreSnapshotResponseInit): void {
  copies.get(response)?.transfer(0);
  copies.delete(response);
}

/** The same bytes. Whoever copies them to a buffer that holds nothing else is taken down. */
function watched(bytes: Buffer, response: KvstoreSnapshotResponseInit): Buffer {
  const copy: Buffer['copy'] = (target, ...where) => {
    const { buffer, byteLength } = target;
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) copies.set(response, buffer);
    return Buffer.prototype.copy.call(bytes, target, ...where);
  };
  return Object.assign(bytes, { copy });
}

function hasHeadroom({ byteOffset, length }: Uint8Array): boolean {
  return byteOffset === snapshotHeadroomBytes && length > 0;
}

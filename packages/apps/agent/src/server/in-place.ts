import { CaptureService } from '@nodecore/api/capture';
import { KvstoreService } from '@nodecore/api/kvstore';
import { batchHeadroomBytes } from '@nodecore/capture';
import { snapshotHeadroomBytes } from '@nodecore/kvstore';

/** A message whose field `data` may have many bytes. */
type WithData = { readonly data?: Uint8Array | undefined };

type Place = {
  /** The number of the field `data`. */
  readonly field: number;
  /** Bytes in front of it, from the beginning of its buffer, that are free. */
  readonly headroomBytes: number;
};

/**
 * The services with encodings of their own for what comes by the megabyte, pieces of a snapshot and batches of packets: they
 * are encoded where they are, in the headroom in front of them. The general encoding would make a buffer of each.
 */
export const kvstoreServiceInPlace: typeof KvstoreService = {
  ...KvstoreService,
  snapshot: {
    ...KvstoreService.snapshot,
    responseSerialize: inPlace(KvstoreService.snapshot.responseSerialize, {
      field: 1,
      headroomBytes: snapshotHeadroomBytes,
    }),
  },
};

/** The same for batches of packets: encoding one overwrites its headroom. A message with more than data is encoded as usual. */
export const captureServiceInPlace: typeof CaptureService = {
  ...CaptureService,
  capture: {
    ...CaptureService.capture,
    responseSerialize: inPlace(CaptureService.capture.responseSerialize, {
      field: 2,
      headroomBytes: batchHeadroomBytes,
    }),
  },
};

/** Makes of a message what `encode` makes of it, too. The bytes in front of its data are written to. */
function inPlace<Message extends WithData>(
  encode: (message: Message) => Buffer,
  { field, headroomBytes }: Place,
): (message: Message) => Buffer {
  return (message) => {
    const { data } = message;
    if (data === undefined || data.length === 0 || data.byteOffset !== headroomBytes || !isAlone(message)) {
      return encode(message);
    }
    const prefix = [(field << 3) | 2];
    let left = data.length;
    for (; left >= 0x80; left >>>= 7) prefix.push((left & 0x7f) | 0x80);
    prefix.push(left);
    const begin = data.byteOffset - prefix.length;
    const encoded = Buffer.from(data.buffer, begin, prefix.length + data.length);
    encoded.set(prefix);
    return watched(encoded, message);
  };
}

/** No field but the data is set. */
function isAlone(message: WithData): boolean {
  return Object.values(message).filter((value) => value !== undefined).length === 1;
}

/** By message, where grpc-js has copied its encoding to. */
const copies = new WeakMap<object, ArrayBuffer>();

/**
 * Gives back the memory of the copy that grpc-js made to send a message, which must be on its way. A quarter of a gigabyte of
 * copies that wait for V8's collector makes that look through everything four times.
 */
export function releaseSent(message: object): void {
  copies.get(message)?.transfer(0);
  copies.delete(message);
}

/** The same bytes. A buffer that they are copied to, and that has nothing else in it, is remembered in {@link copies}. */
function watched(bytes: Buffer, message: object): Buffer {
  const copy: Buffer['copy'] = (target, ...where) => {
    const { buffer, byteLength } = target;
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) copies.set(message, buffer);
    return Buffer.prototype.copy.call(bytes, target, ...where);
  };
  return Object.assign(bytes, { copy });
}

import { addon } from './addon.ts';
import { translated } from './errors.ts';
import { http2Answer, type Http2Answer } from './http2-answer.ts';
import type { Http2Request } from './http2-call.ts';
import type { AddonSnapshotDownload, AddonSnapshotSink } from './snapshot-addon.ts';

/** In the order of `MessageFault` in snapshot/messages.h. */
const faults = [
  undefined,
  'compressed', // which nobody asked for
  'number', // it has no end
  'wire-type', // one that no field has
  'no-value', // a field without one
  'too-long', // a field is longer than its message
] as const;

/** Why content is no messages of a snapshot. */
export type SnapshotMessageFault = Exclude<(typeof faults)[number], undefined>;

/** The call. What comes counts as consumed at once: a slow reader stops reading the connection. */
export type SnapshotRequest = Http2Request & {
  /** What the messages have where; as etcd's unless given. */
  readonly layout?: SnapshotLayout;
};

/** The numbers of the fields of messages that bring a snapshot. */
export type SnapshotLayout = {
  /** Pieces of the database, with the digest behind it. */
  readonly data: number;
  /** How many bytes of the database follow those of the same message. */
  readonly remaining?: number;
  /** How many bytes there are in all, in a message before the first piece. */
  readonly total?: number;
};

/** `SnapshotResponse` of etcd's rpc.proto. */
const etcdLayout: SnapshotLayout = { remaining: 2, data: 3 };

/** What the answer was, in the end or so far. */
export type SnapshotAnswer = Http2Answer & {
  readonly fault: SnapshotMessageFault | undefined;
  /** It ends with a message's end. */
  readonly isWhole: boolean;
};

const outputSign = 1;
const heldSign = 2;
const overSign = 4;

/**
 * A call of gRPC that brings a snapshot, without its connection: bytes in, bytes out. The database goes to the sink it was
 * made by, without passing through JavaScript; without a sink nothing is kept or proven of it, and the feeder has the copy.
 */
export class SnapshotDownload {
  readonly #native: AddonSnapshotDownload;

  /** Use `SnapshotSink.download` for one with a sink. */
  constructor(request: SnapshotRequest, sink?: AddonSnapshotSink) {
    const { scheme, authority, path, body, metadata = {}, windowBytes, layout = etcdLayout } = request;
    const fields = Object.entries(metadata).flat();
    const numbers = { remaining: 0, total: 0, ...layout };
    const { SnapshotDownload: Native } = addon();
    this.#native = translated(
      authority,
      () => new Native(sink, scheme, authority, path, body, fields, windowBytes, numbers),
    );
  }

  /**
   * Takes the first bytes of a buffer, which the connection has filled, and says how many bytes of the database were among
   * them. `copy` gets those, too; it has to be as long as the bytes are.
   */
  feed(buffer: Uint8Array, bytes: number, copy?: Uint8Array): number {
    return this.#native.feed(buffer, bytes, copy);
  }

  /** There is {@link output}. */
  get hasOutput(): boolean {
    return (this.#native.signs() & outputSign) !== 0;
  }

  /** The sink has no room: wait for that, {@link flush}, and feed no more before all is gone. */
  get isHeld(): boolean {
    return (this.#native.signs() & heldSign) !== 0;
  }

  /** Nothing more is to come. */
  get isOver(): boolean {
    return (this.#native.signs() & overSign) !== 0;
  }

  /** Puts into the sink what it had no room for. */
  flush(): void {
    this.#native.flush();
  }

  /** What is to be sent over the connection, once. */
  output(): Buffer {
    return this.#native.output();
  }

  /** Bytes of everything that is to come, with the digest behind the database; known when the first piece is there. */
  get totalBytes(): bigint | undefined {
    return this.#native.total();
  }

  answer(): SnapshotAnswer {
    const end = this.#native.end();
    return { ...http2Answer(end, this.isOver), fault: faults[end.fault], isWhole: end.whole };
  }
}

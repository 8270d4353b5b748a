import type { Socket } from 'node:net';

import type { SnapshotAnswer, SnapshotDownload, SnapshotSink } from '@nodecore/native/snapshot';
import { onAbort } from '@nodecore/waiting';

import { KvstoreError } from '../errors.ts';
import { verdictOf } from './info.ts';

/** Where a database goes, and what that makes, for errors of it. */
export type SnapshotTarget = { readonly sink: SnapshotSink; readonly subject: string };

/** Who gets a snapshot. */
export type SnapshotReceiver = {
  /** Where the database goes by itself. */
  readonly target?: SnapshotTarget;
  /** Bytes of everything that is to come. Once, before the first are counted. */
  total(bytes: bigint): void;
  /** So many bytes have come; a promise when no more shall come before it resolves. */
  took(bytes: number): Promise<void> | undefined;
  /** Where at most so many bytes are copied to; nowhere unless given. */
  copyTo?(bytes: number): Uint8Array;
};

export type TransferOptions = {
  /** Who sends. */
  readonly endpoint: string;
  /** What is wrong with an answer that is over; undefined when nothing is. `cause` is what the connection has ended with. */
  readonly failureOf: (answer: SnapshotAnswer, bytes: number, cause: Error | undefined) => Error | undefined;
  readonly stallTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
};

/**
 * So much of a connection is looked at before others on the loop get their turn, half a millisecond's work. libuv alone would
 * go on for as long as there is something, up to 32 reads.
 */
const turnBytes = 512 << 10;

/** One call over a connection of its own: what comes, what is answered, and how it ends. */
export class Transfer {
  readonly #download: SnapshotDownload;
  readonly #receiver: SnapshotReceiver;
  readonly #options: TransferOptions;
  readonly #over = Promise.withResolvers<void>();
  #socket: Socket | undefined;
  #room: Promise<void> | undefined;
  #stall: NodeJS.Timeout | undefined;
  #bytes = 0;
  #turnBytes = 0;
  #saidTotal = false;
  #isOver = false;
  #cause: Error | undefined;

  constructor(download: SnapshotDownload, receiver: SnapshotReceiver, options: TransferOptions) {
    this.#download = download;
    this.#receiver = receiver;
    this.#options = options;
  }

  /**
   * Takes what the connection has put into a buffer. False when it shall bring no more before it is resumed. Never throws:
   * nothing would catch it there.
   */
  take(bytes: number, buffer: Uint8Array): boolean {
    if (this.#isOver) return false;
    try {
      return this.#take(bytes, buffer);
    } catch (error) {
      this.#isOver = true;
      this.#over.reject(error);
      return false;
    }
  }

  #take(bytes: number, buffer: Uint8Array): boolean {
    const taken = this.#download.feed(buffer, bytes, this.#receiver.copyTo?.(bytes));
    const room = this.#count(taken);
    this.#send();
    if (this.#download.isOver) {
      this.#isOver = true;
      this.#over.resolve();
    }
    if (room === undefined && !this.#download.isHeld && this.#room === undefined)
      return this.#isMyTurn(bytes);
    // A TLS connection brings what it has deciphered already: that is held, too.
    this.#room ??= this.#makeRoom(room);
    return false;
  }

  /** False when others are to be next; then it goes on by itself. */
  #isMyTurn(bytes: number): boolean {
    this.#turnBytes += bytes;
    if (this.#turnBytes < turnBytes) return true;
    this.#turnBytes = 0;
    setImmediate(() => {
      // While there is no room, `#makeRoom` resumes it.
      if (!this.#isOver && this.#room === undefined) this.#socket?.resume();
    });
    return false;
  }

  /** So many bytes of the snapshot have come. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Calls over the connection; resolves when the receiver has all of a complete answer. */
  async run(socket: Socket): Promise<void> {
    const { signal } = this.#options;
    this.#socket = socket;
    socket.on('drain', () => this.#send());
    socket.on('error', (error) => {
      this.#cause ??= error; // 'close' follows
    });
    socket.once('close', () => this.#over.resolve());
    try {
      signal?.throwIfAborted();
      using _listener = onAbort(signal, (reason) => this.#over.reject(reason));
      this.#watch();
      this.#send();
      await this.#over.promise;
      await this.#room;
      const failure = this.#options.failureOf(this.#download.answer(), this.#bytes, this.#cause);
      if (failure !== undefined) throw failure;
    } catch (error) {
      this.#isOver = true;
      // It is left when nothing waits for it any more.
      this.#receiver.target?.sink.abandon();
      await this.#room?.catch(() => {});
      throw error;
    } finally {
      this.#isOver = true;
      clearTimeout(this.#stall);
    }
  }

  #count(bytes: number): Promise<void> | undefined {
    if (bytes === 0) return undefined;
    this.#bytes += bytes;
    this.#stall?.refresh();
    if (!this.#saidTotal) this.#sayTotal();
    return this.#receiver.took(bytes);
  }

  #sayTotal(): void {
    const { totalBytes } = this.#download;
    if (totalBytes === undefined) return;
    this.#saidTotal = true;
    this.#receiver.total(totalBytes);
  }

  /** What is to be sent, unless what was sent before waits still: a server that reads nothing is not answered for ever. */
  #send(): void {
    const socket = this.#socket;
    if (socket === undefined || socket.writableNeedDrain || socket.destroyed) return;
    if (this.#download.hasOutput) socket.write(this.#download.output());
  }

  async #makeRoom(reader: Promise<void> | undefined): Promise<void> {
    const { target } = this.#receiver;
    // While it is us who is slow, the member may be silent.
    clearTimeout(this.#stall);
    this.#stall = undefined;
    try {
      await reader;
      if (target !== undefined) await this.#flushTo(target);
    } catch (error) {
      this.#over.reject(error);
      throw error;
    }
    this.#room = undefined;
    if (this.#isOver) return;
    this.#watch();
    this.#socket?.resume();
  }

  async #flushTo({ sink, subject }: SnapshotTarget): Promise<void> {
    while (this.#download.isHeld) {
      await sink.room();
      const end = sink.end();
      // Ended before it was told to: it failed.
      if (end !== undefined) verdictOf(subject, end, undefined);
      this.#download.flush();
    }
  }

  #watch(): void {
    const { endpoint, stallTimeoutMs } = this.#options;
    this.#stall = setTimeout(() => {
      const words = `silent for ${stallTimeoutMs} ms after ${this.#bytes} bytes of the snapshot; is the member overloaded?`;
      this.#over.reject(new KvstoreError('ERR_KVSTORE_TIMEOUT', endpoint, words));
    }, stallTimeoutMs);
  }
}

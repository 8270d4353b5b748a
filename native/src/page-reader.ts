import { addon, type AddonPageReader, type AddonReply } from './addon.ts';
import { systemCallError, translated } from './errors.ts';
import { Handle } from './handle.ts';

/** A device that is open, with the windows of it in the page cache. */
export type OpenedPages = {
  /** Lent until `finish`, or until the reader is closed; undefined when the windows hold the known bytes. */
  readonly fd: number | undefined;
  readonly sizeBytes: bigint;
  /** Pages that the windows cover. */
  readonly windowPages: number;
  /** A keyed hash of the size and the windows' bytes, comparable within this process; zeros when none was asked for. */
  readonly digest: BigUint64Array;
  /** Pages of the device that are cached; undefined without a digest, or when the kernel can't say (before Linux 6.5). */
  readonly cachedPages: number | undefined;
};

export type OpenPagesOptions = {
  /** Whether the windows' bytes are digested. */
  readonly digest?: boolean;
  /** A digest of before. When the windows still hold these bytes, the device is closed again at once. */
  readonly known?: BigUint64Array;
};

/** A call on a device that may never return. */
export type PageCall<T> = {
  readonly result: Promise<T>;
  /**
   * Another thread takes over from the one that hangs, and the process no longer stays alive for it. The result comes
   * nevertheless, whenever that is. False when no further thread can be had.
   */
  abandon(): boolean;
};

type Pending = {
  readonly on: string;
  readonly settle: (reply: AddonReply) => void;
  readonly fail: (error: Error) => void;
};

/**
 * Opens devices and reads chosen pages ahead, on threads of its own: a device that hangs takes none of the four threads
 * that Node does all its file work with, and does not keep the process from ending.
 */
export class PageReader extends Handle<AddonPageReader> {
  readonly #pending = new Map<number, Pending>();
  readonly #abandoned = new Set<number>();
  #nextId = 0;
  #pumping = false;

  /** @throws {NativeError} */
  static open(options: { readonly threads: number }): PageReader {
    const { PageReader: Native } = addon();
    return new PageReader(translated('page reader', () => new Native(options.threads)));
  }

  private constructor(native: AddonPageReader) {
    super(native, 'page reader');
  }

  /** Calls that have not returned, abandoned ones included. */
  get pending(): number {
    return this.#pending.size;
  }

  /**
   * Opens a device and reads `windows` (pairs of offset and size, page-aligned or up to the end of the device) into the
   * page cache. Rejects with a `NativeError`.
   */
  open(path: string, windows: BigUint64Array, options: OpenPagesOptions = {}): PageCall<OpenedPages> {
    const { known, digest = known !== undefined } = options;
    return this.#call(
      path,
      (id) => this.native.open(id, path, windows, digest, known),
      ({ fd = -1, sizeBytes = 0n, windowPages = 0, digest = new BigUint64Array(2), cachedPages }) => ({
        fd: fd < 0 ? undefined : fd,
        sizeBytes,
        windowPages,
        digest,
        cachedPages,
      }),
    );
  }

  /** Gives a descriptor back that `open` lent. The result says how many pages of the device were cached then. */
  finish(fd: number): PageCall<number | undefined> {
    return this.#call(
      `descriptor ${fd}`,
      (id) => this.native.finish(id, fd),
      ({ cachedPages }) => cachedPages,
    );
  }

  /** Calls that have not returned reject; what they open meanwhile is closed. */
  override close(): void {
    super.close();
    for (const { on, fail } of this.#pending.values())
      fail(new TypeError(`page reader closed while it read ${on}`));
    this.#pending.clear();
  }

  #call<T>(on: string, submit: (id: number) => void, convert: (reply: AddonReply) => T): PageCall<T> {
    const id = this.#nextId;
    this.#nextId = (id + 1) >>> 0;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const settle = (reply: AddonReply): void => {
      if (reply.error === undefined) resolve(convert(reply));
      else reject(systemCallError(reply.error, on));
    };
    this.#pending.set(id, { on, settle, fail: reject });
    submit(id);
    this.#keepAlive();
    void this.#pump();
    return { result: promise, abandon: () => this.#abandon(id) };
  }

  #abandon(id: number): boolean {
    if (this.closed || !this.#pending.has(id)) return false;
    if (!this.native.abandon(id)) return false;
    this.#abandoned.add(id);
    this.#keepAlive();
    return true;
  }

  #keepAlive(): void {
    this.native.keepAlive(this.#pending.size > this.#abandoned.size);
  }

  /** Hands replies out for as long as any is missing. It never rejects: whoever waits for a reply gets the failure. */
  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#pending.size > 0 && (await this.readable())) this.#handOut(this.native.receive());
    } finally {
      this.#pumping = false;
    }
  }

  #handOut(replies: readonly AddonReply[]): void {
    for (const reply of replies) {
      const pending = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      this.#abandoned.delete(reply.id);
      pending?.settle(reply);
    }
    this.#keepAlive();
  }
}

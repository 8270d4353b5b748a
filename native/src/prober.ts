import { getSystemErrorName } from 'node:util';

import {
  addon,
  type AddonProbeQueue,
  type AddonReply,
  type AddonResult,
  type BlkidJudgement,
} from './addon.ts';
import { systemCallError, translated } from './errors.ts';
import { Handle } from './handle.ts';

export type ProbeRequest = {
  /** Pairs of offset and size to read ahead, page-aligned or up to the end of the device; none by default. */
  readonly windows?: BigUint64Array;
  /** The device is an optical drive, which may have no medium. */
  readonly optical?: boolean;
  /** Whether the result is wanted as `known` the next time. */
  readonly digest?: boolean;
  /** The `restsOn` of an earlier result. While the windows hold the same bytes, libblkid is not asked again. */
  readonly known?: BigUint64Array;
  /** Where libblkid looks, as if this were a device of its own; the whole device unless given. */
  readonly part?: { readonly offset: bigint; readonly size: bigint };
  /** Nobody is asked: the windows are read, and what is not zero in them is the result. */
  readonly findWritten?: boolean;
};

export type Probed =
  | {
      readonly outcome: 'judged';
      readonly sizeBytes: bigint;
      readonly judgement: BlkidJudgement;
      /**
       * Stands for the windows' bytes, when the judgement provably rests on them and nothing else of the device: nothing
       * but the windows was cached before libblkid ran, and nothing more after it. Comparable within this process. Absent
       * where that is not so, or the kernel can't tell (before Linux 6.5).
       */
      readonly restsOn?: BigUint64Array;
    }
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'no-medium' }
  | {
      readonly outcome: 'read';
      readonly sizeBytes: bigint;
      /** Where the first byte of a window stands that is not zero; of the first 64 windows that have one. */
      readonly places: readonly bigint[];
      /** The first window that can't be read; nothing behind it was looked at. */
      readonly unreadable?: { readonly offset: bigint; readonly errno: string };
    };

/** A probe that may never return. */
export type ProbeCall = {
  readonly result: Promise<Probed>;
  /**
   * Another thread takes over from the one that this probe keeps, so that others need not wait for it. False while the
   * probe itself still waits for a thread, or when no further one can be had.
   */
  replaceThread(): boolean;
  /** Nobody waits for the result any more: the process no longer stays alive for it. It comes nevertheless, some day. */
  abandon(): void;
};

type Pending = {
  readonly path: string;
  readonly resolve: (probed: Probed) => void;
  readonly reject: (error: Error) => void;
};

/**
 * Asks libblkid what is on devices, on threads of its own: a device that hangs takes none of the four threads that Node
 * does all its file work with, and an abandoned probe does not keep the loop alive. (The kernel lets a process go only when
 * the device returns.)
 */
export class Prober extends Handle<AddonProbeQueue> {
  readonly #pending = new Map<number, Pending>();
  readonly #abandoned = new Set<number>();
  #nextId = 0;
  #pumping = false;

  /** @throws {NativeError} */
  static open(options: { readonly threads: number }): Prober {
    const { ProbeQueue: Native } = addon();
    return new Prober(translated('probe queue', () => new Native(options.threads)));
  }

  private constructor(native: AddonProbeQueue) {
    super(native, 'prober');
  }

  /** Opens, judges and closes a device or a file. The result rejects with a `NativeError`. */
  probe(path: string, request: ProbeRequest = {}): ProbeCall {
    const { windows = new BigUint64Array(), optical = false, known, digest = known !== undefined } = request;
    const id = this.#nextId;
    this.#nextId = (id + 1) >>> 0;
    const { part, findWritten = false } = request;
    const range = part === undefined ? undefined : new BigUint64Array([part.offset, part.size]);
    this.native.submit(id, path, windows, optical, digest, known, range, findWritten);
    const { promise, resolve, reject } = Promise.withResolvers<Probed>();
    this.#pending.set(id, { path, resolve, reject });
    this.#keepAlive();
    void this.#pump();
    return {
      result: promise,
      replaceThread: () => !this.closed && this.#pending.has(id) && this.native.replace(id),
      abandon: () => this.#abandon(id),
    };
  }

  /** Probes that have not returned reject. What they have open is closed when they return. */
  override close(): void {
    super.close();
    for (const { path, reject } of this.#pending.values()) {
      reject(new TypeError(`prober closed while it probed ${path}`));
    }
    this.#pending.clear();
  }

  #abandon(id: number): void {
    if (this.closed || !this.#pending.has(id)) return;
    this.#abandoned.add(id);
    this.#keepAlive();
  }

  #keepAlive(): void {
    this.native.keepAlive(this.#pending.size > this.#abandoned.size);
  }

  /** Hands replies out for as long as any is missing. It never rejects: the waiter for a reply gets the failure. */
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
    for (const { id, error, result } of replies) {
      const pending = this.#pending.get(id);
      this.#pending.delete(id);
      this.#abandoned.delete(id);
      if (error === undefined) pending?.resolve(probed(result));
      else pending?.reject(systemCallError(error, pending.path));
    }
    this.#keepAlive();
  }
}

function probed({ outcome, sizeBytes, judgement, restsOn, written }: AddonResult): Probed {
  if (outcome === 1) return { outcome: 'unchanged' };
  if (written !== undefined) {
    const { places, unreadable } = written;
    if (unreadable === undefined) return { outcome: 'read', sizeBytes, places: [...places] };
    const { offset, errno } = unreadable;
    return {
      outcome: 'read',
      sizeBytes,
      places: [...places],
      unreadable: { offset, errno: getSystemErrorName(-errno) },
    };
  }
  if (outcome === 2 || judgement === undefined) return { outcome: 'no-medium' };
  return { outcome: 'judged', sizeBytes, judgement, ...(restsOn === undefined ? {} : { restsOn }) };
}

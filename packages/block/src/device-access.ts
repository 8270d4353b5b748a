import { type OpenedPages, type OpenPagesOptions, PageReader } from '@nodecore/native';

import { type Patience, withDeadline } from './deadline.ts';
import { BlockError } from './errors.ts';
import { Slots } from './slots.ts';

/** Two at once keep a disk busy while another's answer is looked at; more only compete. */
const readerThreads = 2;

/** Each hanging device holds a thread of the page reader. Beyond this nothing more is opened until one returns. */
const mostStuck = 64;

/** libblkid runs on libuv's pool of four. It may take two: even when both hang, the process can still read files. */
const judgeSlots = new Slots(2);

const openSlots = new Slots(8);

/** A call that did not return in time, by device. */
const stuck = new Map<string, Promise<void>>();

let reader: PageReader | undefined;
let users = 0;

/** Which device: where its node is, and what tells it from one that had the name before. */
export type Device = { readonly path: string; readonly identity: string };

/**
 * Access to devices of which any may hang. What hangs is known to the whole process, so that nobody asks a device again
 * whose last call has not returned; everything else ends with the last user.
 */
export class DeviceAccess implements Disposable {
  readonly #patience: Patience;
  readonly #reader: PageReader;
  #open = true;

  constructor(patience: Patience) {
    reader ??= PageReader.open({ threads: readerThreads });
    users += 1;
    this.#reader = reader;
    this.#patience = patience;
  }

  /** Whether a call on the device has not returned. When it does, the promise resolves. */
  stuck(device: Device): Promise<void> | undefined {
    return stuck.get(device.identity);
  }

  /** Opens a device and reads windows of it ahead, see {@link PageReader.open}. */
  async open(device: Device, windows: BigUint64Array, options: OpenPagesOptions = {}): Promise<OpenedPages> {
    this.#refuseStuck(device);
    const release = await openSlots.take();
    try {
      const call = this.#reader.open(device.path, windows, options);
      const standIn = (): void => {
        if (call.abandon()) release();
      };
      return await this.#guarded(device, call.result, standIn, ({ fd }) => this.#finishLate(fd));
    } finally {
      release();
    }
  }

  /** Runs calls of libblkid on an open device. */
  async judge<T>(device: Device, fd: number, task: () => Promise<T>): Promise<T> {
    this.#refuseStuck(device);
    const release = await this.#judgeSlot(device);
    const running = task();
    void running.then(release, release); // a slot is free when the call is over, not when we lost patience
    return this.#guarded(
      device,
      running,
      () => {},
      () => this.#finishLate(fd),
    );
  }

  /** Closes a device, and says how many of its pages were cached then. */
  finish(device: Device, fd: number): Promise<number | undefined> {
    const call = this.#reader.finish(fd);
    return this.#guarded(
      device,
      call.result,
      () => call.abandon(),
      () => Promise.resolve(),
    );
  }

  /** Twice is fine. */
  [Symbol.dispose](): void {
    if (!this.#open) return;
    this.#open = false;
    users -= 1;
    closeWhenIdle();
  }

  #refuseStuck({ path, identity }: Device): void {
    const hangs = stuck.has(identity);
    if (!hangs && stuck.size < mostStuck) return;
    const why = hangs ? 'an earlier call has not returned' : `${stuck.size} other devices hang`;
    throw new BlockError('ERR_BLOCK_UNRESPONSIVE', path, `${path}: ${why}`);
  }

  async #guarded<T>(
    device: Device,
    result: Promise<T>,
    onSlow: () => void,
    onLate: (value: T) => Promise<unknown>,
  ): Promise<T> {
    try {
      return await withDeadline(device.path, result, this.#patience, onSlow);
    } catch (error) {
      if (error instanceof BlockError && error.code === 'ERR_BLOCK_UNRESPONSIVE') {
        remember(device, result.then(onLate));
      }
      throw error;
    }
  }

  async #judgeSlot({ path }: Device): Promise<() => void> {
    const slot = judgeSlots.take();
    try {
      return await withDeadline(path, slot, this.#patience);
    } catch (cause) {
      void slot.then((release) => release());
      const message = `${path}: libblkid hangs on other devices`;
      throw new BlockError('ERR_BLOCK_FAILED', path, message, { cause });
    }
  }

  async #finishLate(fd: number | undefined): Promise<void> {
    if (fd !== undefined && !this.#reader.closed) await this.#reader.finish(fd).result;
  }
}

function remember({ identity }: Device, call: Promise<unknown>): void {
  const forget = (): void => {
    stuck.delete(identity);
    closeWhenIdle();
  };
  stuck.set(identity, call.then(forget, forget));
}

function closeWhenIdle(): void {
  if (users > 0 || stuck.size > 0) return;
  reader?.close();
  reader = undefined;
}

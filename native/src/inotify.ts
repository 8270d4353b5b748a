import { addon, type AddonInotify } from './addon.ts';
import { translated } from './errors.ts';
import { Handle } from './handle.ts';

/** The bits of inotify(7) that discovery needs. */
export const inotifyMask = {
  closeWrite: 0x0000_0008,
  movedTo: 0x0000_0080,
  movedFrom: 0x0000_0040,
  create: 0x0000_0100,
  delete: 0x0000_0200,
  /** The watched object itself is gone. */
  deleteSelf: 0x0000_0400,
  /** Reported only: the queue was full and events were dropped. */
  queueOverflow: 0x0000_4000,
  /** Reported only: the watch was removed, by us or because its object is gone. */
  ignored: 0x0000_8000,
} as const;

export type InotifyEvent = {
  /** The number that `add` returned; -1 for an overflow. */
  readonly watch: number;
  readonly mask: number;
  /** The name inside a watched directory; `''` when the watched object itself is meant. */
  readonly name: string;
};

/** One inotify instance. It exists for IN_CLOSE_WRITE, which `fs.watch` does not ask for. */
export class Inotify extends Handle<AddonInotify> {
  /** @throws {NativeError} */
  static open(): Inotify {
    const { Inotify: Native } = addon();
    return new Inotify(translated('inotify', () => new Native()));
  }

  private constructor(native: AddonInotify) {
    super(native, 'inotify instance');
  }

  /** Watches a path for the events in `mask`, and returns the watch's number. @throws {NativeError} */
  add(path: string, mask: number): number {
    return translated(path, () => this.native.add(path, mask));
  }

  /** A watch that the kernel removed by itself is fine. @throws {NativeError} */
  remove(watch: number): void {
    translated(`watch ${watch}`, () => this.native.remove(watch));
  }

  /** Waits for events. Undefined once the instance is closed. */
  async receive(): Promise<readonly InotifyEvent[] | undefined> {
    return (await this.readable()) ? translated('inotify', () => this.native.receive()) : undefined;
  }
}

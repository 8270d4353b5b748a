import { readdirSync } from 'node:fs';

import { Inotify, inotifyMask, NativeError, UeventSocket, type UeventSocketOptions } from '@nodecore/native';

import { diskOfUevent, parseUevent, removesDisk } from './uevent.ts';

export type BlockEventsListener = {
  /** A disk came, went, or may have other content or other partitions. */
  readonly onDisk: (id: string) => void;
  /** Something about the disks' surroundings changed: links, stacked devices. */
  readonly onFacts: () => void;
  /** Announcements were lost: everything has to be looked at again. */
  readonly onOverflow: () => void;
};

const { closeWrite, create, delete: deleted, movedTo, movedFrom, ignored, queueOverflow } = inotifyMask;
const directoryChanges = create | deleted | movedTo | movedFrom;
const linksRoot = '/dev/disk';
/** Where device-mapper has its nodes; where no device manager runs, they are nodes of their own and no links. */
export const mappingsRoot = '/dev/mapper';

/**
 * What the kernel reports about disks: announcements of devices, and writers that closed a device node, which is the only
 * sign of a reformatted disk where no device manager synthesises one. Both are listened to from the moment this opens.
 */
export class BlockEvents implements Disposable {
  readonly #uevents: UeventSocket;
  readonly #inotify: Inotify;
  readonly #listener: BlockEventsListener;
  /** Disk by the watch on its node or a partition's; undefined for a directory of links. */
  readonly #watches = new Map<number, string | undefined>();
  /** The other node of a mapping by its disk; it may come after the mapping, and change its name. */
  readonly #mappings = new Map<string, string>();

  constructor(listener: BlockEventsListener, options: UeventSocketOptions = {}) {
    this.#listener = listener;
    this.#uevents = UeventSocket.open(options);
    try {
      this.#inotify = Inotify.open();
    } catch (error) {
      this.#uevents.close();
      throw error;
    }
    this.#watchLinks();
  }

  /** Delivers events until this is closed. Rejects when the kernel's side breaks off. */
  async run(): Promise<void> {
    try {
      await Promise.all([this.#readUevents(), this.#readInotify()]);
    } finally {
      this[Symbol.dispose]();
    }
  }

  /** Watches a node of a disk for writers that close it. A node that is gone is fine: its disk is announced as removed. */
  watchNode(disk: string, path: string): void {
    if (path.startsWith(`${mappingsRoot}/`)) this.#mappings.set(disk, path);
    this.#add(path, closeWrite, disk);
  }

  /** Twice is fine. */
  [Symbol.dispose](): void {
    this.#uevents.close();
    this.#inotify.close();
  }

  async #readUevents(): Promise<void> {
    for (let batch = await this.#uevents.receive(); batch; batch = await this.#uevents.receive()) {
      if (batch.overflowed) this.#listener.onOverflow();
      for (const message of batch.messages) {
        const uevent = parseUevent(message);
        const disk = uevent === undefined ? undefined : diskOfUevent(uevent);
        if (disk === undefined) continue;
        if (uevent !== undefined && removesDisk(uevent)) this.#mappings.delete(disk);
        this.#listener.onDisk(disk);
      }
    }
  }

  async #readInotify(): Promise<void> {
    for (let events = await this.#inotify.receive(); events; events = await this.#inotify.receive()) {
      for (const { watch, mask } of events) {
        if ((mask & queueOverflow) !== 0) this.#listener.onOverflow();
        else if ((mask & ignored) !== 0) this.#watches.delete(watch);
        else this.#report(watch, mask);
      }
    }
  }

  #report(watch: number, mask: number): void {
    const disk = this.#watches.get(watch);
    if (disk !== undefined) {
      if ((mask & closeWrite) !== 0) this.#listener.onDisk(disk);
      return;
    }
    this.#watchLinks(); // a directory of links may be new
    this.#watchMappings();
    this.#listener.onFacts();
  }

  #watchLinks(): void {
    this.#add('/dev', create | movedTo, undefined);
    this.#add(mappingsRoot, create | movedTo, undefined);
    this.#add(linksRoot, directoryChanges, undefined);
    for (const name of directoriesIn(linksRoot))
      this.#add(`${linksRoot}/${name}`, directoryChanges, undefined);
  }

  /** Before a node was watched, somebody may have written through it. */
  #watchMappings(): void {
    for (const [disk, path] of this.#mappings)
      if (this.#add(path, closeWrite, disk) === 'new') this.#listener.onDisk(disk);
  }

  #add(path: string, mask: number, disk: string | undefined): 'new' | 'known' | 'gone' {
    try {
      const watch = this.#inotify.add(path, mask);
      const known = this.#watches.get(watch) === disk && this.#watches.has(watch);
      this.#watches.set(watch, disk);
      return known ? 'known' : 'new';
    } catch (error) {
      const gone = error instanceof NativeError && ['ENOENT', 'ENOTDIR', 'EACCES'].includes(error.errno);
      if (!gone) throw error;
      return 'gone';
    }
  }
}

function directoriesIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return []; // no device manager makes links here
  }
}

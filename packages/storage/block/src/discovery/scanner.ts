import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { DeviceAccess } from '../devices/device-access.ts';
import { DiskScanner, type FoundDisk } from './disk-scanner.ts';
import { type DeviceLinks, diskSymlinks } from '../links/disk-symlinks.ts';
import type { Inventory } from '../inventory.ts';
import { withArrayUuid } from '../facts/stacked.ts';
import { Sysfs } from '../facts/sysfs.ts';

export type ScannerOptions = {
  /** How long one call on a disk may take before the disk is published as unresponsive; 5 s by default. */
  readonly deadlineMs?: number;
  /** Whether what was found is remembered for the next scan; true by default. Without it the first is cheaper. */
  readonly remember?: boolean;
  /** Called with each node of a disk or partition right before its content is read. */
  readonly beforeRead?: (disk: string, path: string) => void;
};

export type ScanOptions = {
  readonly signal?: AbortSignal;
  /** Disks whose content may have changed; all by default. Of the others only the kernel's facts are read again. */
  readonly changed?: ReadonlySet<string>;
};

/** Disks that are looked at together: while one is read, others are judged. */
const disksAtOnce = 16;

/**
 * Lists disks again and again, faster each time: what provably has not changed is not judged anew. Every call that may
 * hang has a deadline, and a disk that hangs delays no other.
 */
export class Scanner implements Disposable {
  readonly #sysfs = new Sysfs();
  readonly #access: DeviceAccess;
  readonly #disks: DiskScanner;
  #found: ReadonlyMap<string, FoundDisk> = new Map();
  #inventory: Inventory = { disks: [], volumes: [] };

  constructor(options: ScannerOptions = {}) {
    const { deadlineMs = 5000, remember = true, beforeRead = () => {} } = options;
    this.#access = new DeviceAccess(deadlineMs);
    this.#disks = new DiskScanner({ sysfs: this.#sysfs, access: this.#access, remember, beforeRead });
  }

  /**
   * Looks at every disk. The result is the same object as the last one when nothing changed. Rejects only for what is
   * wrong with this machine, never for what is wrong with a disk. One scan at a time.
   */
  async scan(options: ScanOptions = {}): Promise<Inventory> {
    options.signal?.throwIfAborted();
    const symlinks = await diskSymlinks();
    const ids = this.#sysfs.entries('block');
    const found = new Map<string, FoundDisk>();
    const scan = async (id: string): Promise<void> => {
      const disk = await this.#scanDisk(id, symlinks, options);
      if (disk !== undefined) found.set(id, disk);
    };
    await inTurns(ids, scan);
    this.#keep(ids.flatMap((id) => found.get(id) ?? []));
    return this.#inventory;
  }

  /** For every node that hangs, its disk and a promise that resolves when the call on it returns. */
  hanging(): readonly { readonly disk: string; readonly returned: Promise<void> }[] {
    return [...this.#found.values()].flatMap(({ disk, devices }) =>
      devices.flatMap((device) => {
        const returned = this.#access.stuck(device);
        return returned === undefined ? [] : [{ disk: disk.id, returned }];
      }),
    );
  }

  /** What hangs stays behind and is cleaned up when it returns. Twice is fine. */
  [Symbol.dispose](): void {
    this.#access[Symbol.dispose]();
  }

  #scanDisk(id: string, symlinks: DeviceLinks, options: ScanOptions): Promise<FoundDisk | undefined> {
    const { signal, changed } = options;
    const last = changed === undefined || changed.has(id) ? undefined : this.#found.get(id);
    return this.#disks.scan(id, {
      symlinks,
      ...(last === undefined ? {} : { last }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  #keep(found: readonly FoundDisk[]): void {
    this.#found = new Map(found.map((one) => [one.disk.id, one]));
    const volumes = found.flatMap((one) => one.volumes).sort(byId);
    const disks = found.map(({ disk }) => withArrayUuid(disk, volumes)).sort(byId);
    const inventory = { disks, volumes };
    if (!isDeepStrictEqual(inventory, this.#inventory)) this.#inventory = inventory;
    this.#disks.keepOnly(new Set(inventory.volumes.map(({ devPath }) => devPath)));
  }
}

/** A scanner that the caller owns, for looking again and again without watching. */
export function openScanner(options: ScannerOptions = {}): Scanner {
  return new Scanner(options);
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : Number(one.id > other.id);
}

/** A few at once. The first failure rejects after the running ones have ended, so that nothing outlives the scan. */
async function inTurns(ids: readonly string[], scan: (id: string) => Promise<void>): Promise<void> {
  const waiting = ids.values();
  const worker = async (): Promise<void> => {
    for (const id of waiting) {
      await scan(id);
      await setImmediate(); // reading sysfs blocks: other work gets its turn after every disk
    }
  };
  const results = await Promise.allSettled(Array.from({ length: disksAtOnce }, worker));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

import { Serial } from '@nodecore/waiting';

/** One queue per disk: what changes a disk's table or takes a disk whole happens there one after the other. */
export class DiskLocks {
  readonly #locks = new Map<string, Serial>();

  run<T>(disk: string, task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    let lock = this.#locks.get(disk);
    if (lock === undefined) {
      lock = new Serial();
      this.#locks.set(disk, lock);
    }
    return lock.run(task, signal);
  }
}

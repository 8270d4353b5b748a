import { readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';

import { LanError } from './errors.ts';
import { run } from './run.ts';

const directory = '/run/netns';
const pollMs = 10;
/** Of processes that were killed; long for a machine that writes its memory to a full disk. */
const endLimitMs = 10_000;

/** A named network namespace: all that is made inside goes with it. Needs root. */
export class Namespace {
  readonly name: string;

  /** @param name at most 200 letters, digits, dashes; nothing is made yet. */
  constructor(name: string) {
    if (!/^[A-Za-z0-9][A-Za-z0-9-]{0,199}$/.test(name))
      throw new LanError('ERR_LAN_SPEC', `${JSON.stringify(name)} is no name of a network namespace`);
    this.name = name;
  }

  /** The file that holds it. */
  get path(): string {
    return join(directory, this.name);
  }

  /** @throws {LanError} `ERR_LAN_COMMAND`, also when it is there already. */
  async make(): Promise<void> {
    await run(['ip', 'netns', 'add', this.name]);
  }

  /** Whether it is there. */
  async exists(): Promise<boolean> {
    return (await this.#inode()) !== undefined;
  }

  /** The command line that runs a program inside; the process keeps its id and its descriptors. */
  inside(argv: readonly string[]): readonly [string, ...string[]] {
    return ['nsenter', `--net=${this.path}`, '--', ...argv];
  }

  /** The output of a program that runs inside. @throws {LanError} `ERR_LAN_COMMAND` */
  async run(argv: readonly string[]): Promise<string> {
    return await run(this.inside(argv));
  }

  /** Ids of the processes inside. */
  async processes(): Promise<readonly number[]> {
    const inode = await this.#inode();
    if (inode === undefined) return [];
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const links = await Promise.all(
      pids.map((pid) => readlink(`/proc/${pid}/ns/net`).catch(() => '')), // it has ended
    );
    return pids.filter((_, index) => links[index] === `net:[${inode}]`).map(Number);
  }

  /** Ends every process inside. @throws {LanError} `ERR_LAN_INSIDE` when one does not end. */
  async end(): Promise<void> {
    const limit = AbortSignal.timeout(endLimitMs);
    for (let left = await this.processes(); left.length > 0; left = await this.processes()) {
      if (limit.aborted)
        throw new LanError('ERR_LAN_INSIDE', `processes ${left.join(', ')} in ${this.name} do not end`);
      for (const pid of left) kill(pid);
      await systemClock.sleep(pollMs);
    }
  }

  /**
   * Ends every process inside and removes the namespace, with its interfaces. One that is not there is fine.
   *
   * @throws {LanError} `ERR_LAN_INSIDE` when a process inside does not end.
   */
  async remove(): Promise<void> {
    await this.end();
    if (await this.exists()) await run(['ip', 'netns', 'delete', this.name]);
  }

  /** What the kernel calls it. A file without a namespace has another file system's number, which no process shows. */
  async #inode(): Promise<number | undefined> {
    try {
      return (await stat(this.path)).ino;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }
}

/** Kills a process, which may have ended. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

import { readlinkSync } from 'node:fs';
import { readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, killWhere } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';

import { LanError } from './errors.ts';
import { findHolder, findMember, holdAgain, isHolder, startHolder } from './holder.ts';
import { run } from './run.ts';

const directory = '/run/netns';
const pollMs = 10;
/** Of processes that were killed; long for a machine that writes its memory to a full disk. */
const endLimitMs = 10_000;

/** Where a namespace is for nsenter(1). */
export type NamespaceFiles = {
  readonly networkNamespace: string;
  /** Of the user namespace that it is in, where it was made without root. */
  readonly userNamespace?: string;
};

/**
 * A named network namespace: all that is made inside goes with it. Root's is a file in `/run/netns`; anybody else's is in a user
 * namespace of its own, and a process holds both.
 */
export class Namespace {
  readonly name: string;
  #holder: number | undefined;

  /** @param name at most 200 letters, digits, dashes; nothing is made yet. */
  constructor(name: string) {
    if (!/^[A-Za-z0-9][A-Za-z0-9-]{0,199}$/.test(name))
      throw new LanError('ERR_LAN_SPEC', `${JSON.stringify(name)} is no name of a network namespace`);
    this.name = name;
  }

  /** The files that it is entered by. @throws {LanError} `ERR_LAN_INSIDE` without root, when nobody holds it. */
  files(): NamespaceFiles {
    if (isRoot()) return { networkNamespace: join(directory, this.name) };
    const holder = this.#found();
    if (holder === undefined) throw new LanError('ERR_LAN_INSIDE', `the namespace ${this.name} is gone`);
    return { networkNamespace: `/proc/${holder}/ns/net`, userNamespace: `/proc/${holder}/ns/user` };
  }

  /** @throws {LanError} `ERR_LAN_COMMAND`, also when it is there already. */
  async make(): Promise<void> {
    if (isRoot()) return void (await run(['ip', 'netns', 'add', this.name]));
    if (this.#found() !== undefined)
      throw new LanError('ERR_LAN_COMMAND', `the namespace ${this.name} is there already`);
    await startHolder(this.name);
  }

  /**
   * Has it held again where its holder was killed: without one it goes with the last process inside.
   *
   * @returns whether that was so.
   * @throws {LanError} `ERR_LAN_COMMAND` when it went meanwhile.
   */
  async keep(): Promise<boolean> {
    if (isRoot()) return false; // a file holds it, and nobody looks through all processes
    const member = this.#found();
    if (member === undefined || isHolder(member, this.name)) return false;
    await holdAgain(this.name, member);
    return true;
  }

  /** Whether it is there. */
  async exists(): Promise<boolean> {
    return (await this.#inode()) !== undefined;
  }

  /** The command line that runs a program inside; the process keeps its id and its descriptors. */
  inside(argv: readonly string[]): readonly [string, ...string[]] {
    return enterCommand(this.files(), argv);
  }

  /** The output of a program that runs inside. @throws {LanError} `ERR_LAN_COMMAND` */
  async run(argv: readonly string[]): Promise<string> {
    return await run(this.inside(argv));
  }

  /** The output of ip(8) inside, which enters a namespace of root's by itself. @throws {LanError} `ERR_LAN_COMMAND` */
  async ip(words: readonly string[]): Promise<string> {
    return await run(this.ipCommand(words));
  }

  /** The command line of ip(8) inside; root's namespace needs not be there yet. */
  ipCommand(words: readonly string[]): readonly [string, ...string[]] {
    return isRoot() ? ['ip', '-n', this.name, ...words] : this.inside(['ip', ...words]);
  }

  /** Ids of the processes inside. */
  async processes(): Promise<readonly number[]> {
    return await processesIn(await this.#inode());
  }

  /** Ends every process inside. @throws {LanError} `ERR_LAN_INSIDE` when one does not end. */
  async end(): Promise<void> {
    const limit = AbortSignal.timeout(endLimitMs);
    const inode = await this.#inode(); // who holds it may end first
    for (let left = await processesIn(inode); left.length > 0; left = await processesIn(inode)) {
      if (limit.aborted)
        throw new LanError('ERR_LAN_INSIDE', `processes ${left.join(', ')} in ${this.name} do not end`);
      for (const pid of left) killWhere(pid, () => isIn(pid, inode));
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
    if (isRoot() && (await this.exists())) await run(['ip', 'netns', 'delete', this.name]);
  }

  /** What the kernel calls it. A file without a namespace has another file system's number, which no process shows. */
  async #inode(): Promise<number | undefined> {
    if (!isRoot() && this.#found() === undefined) return undefined;
    try {
      return (await stat(this.files().networkNamespace)).ino;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Who holds it, looked for among all processes once; who else is inside when nobody does. */
  #found(): number | undefined {
    if (this.#holder === undefined || !isHolder(this.#holder, this.name))
      this.#holder = findHolder(this.name);
    return this.#holder ?? findMember(this.name);
  }
}

/** The command line that runs a program in a namespace: nsenter becomes the program, with its id and descriptors. */
export function enterCommand(
  { networkNamespace, userNamespace }: NamespaceFiles,
  argv: readonly string[],
): readonly [string, ...string[]] {
  // Who enters is root there, and has no other groups to give up.
  const user = userNamespace === undefined ? [] : [`--user=${userNamespace}`, '--preserve-credentials'];
  return ['nsenter', ...user, `--net=${networkNamespace}`, '--', ...argv];
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Ids of processes in the network namespace with this number. */
async function processesIn(inode: number | undefined): Promise<readonly number[]> {
  if (inode === undefined) return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const links = await Promise.all(
    pids.map((pid) => readlink(`/proc/${pid}/ns/net`).catch(() => '')), // it has ended, or is somebody else's
  );
  return pids.filter((_, index) => links[index] === `net:[${inode}]`).map(Number);
}

function isIn(pid: number, inode: number | undefined): boolean {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`) === `net:[${inode}]`;
  } catch {
    return false; // it has ended
  }
}

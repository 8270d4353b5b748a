import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

import { CgroupError } from '../errors.ts';
import { errnoOf, translate } from '../failure.ts';
import { flat } from '../files/format.ts';
import { pathBytes } from '../path-bytes.ts';

/**
 * One cgroup, held by a descriptor of its directory: whatever is made by the same path later, what is done here is done
 * to this one, or fails because it is gone.
 */
export class HeldCgroup implements AsyncDisposable {
  readonly path: string;
  /** Names it among all cgroups of this boot. */
  readonly inode: bigint;
  readonly #directory: FileHandle;

  /**
   * @param directory absolute, on cgroup v2.
   * @throws {CgroupError} `ERR_CGROUP_NOT_FOUND`, also when another one is there than `options.inode` names.
   */
  static async open(directory: string, options: { readonly inode?: bigint } = {}): Promise<HeldCgroup> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(pathBytes(directory), constants.O_RDONLY | constants.O_DIRECTORY);
      const { ino } = await handle.stat({ bigint: true });
      if (options.inode !== undefined && options.inode !== ino)
        throw new CgroupError('ERR_CGROUP_NOT_FOUND', directory, 'another cgroup is there by now');
      return new HeldCgroup(handle, directory, ino);
    } catch (error) {
      await handle?.close();
      throw translate(error, directory);
    }
  }

  private constructor(directory: FileHandle, path: string, inode: bigint) {
    this.#directory = directory;
    this.path = path;
    this.inode = inode;
  }

  /** The text of a control file. @throws {CgroupError} `ERR_CGROUP_NOT_FOUND` when it, or the cgroup, is not there. */
  async read(file: string): Promise<string> {
    return await this.#with(file, constants.O_RDONLY, (handle) => handle.readFile('utf8'));
  }

  /**
   * Writes a control file in one call. A limit that is lowered this way is not waited for where the kernel can do
   * without (Linux 6.15: memory.high and memory.max with O_NONBLOCK).
   *
   * @throws {CgroupError} with the errno of the kernel's answer as its cause.
   */
  async write(file: string, text: string): Promise<void> {
    await this.#with(file, constants.O_WRONLY | constants.O_NONBLOCK, async (handle) => {
      await handle.write(text);
    });
  }

  /** A value of `cgroup.events`: `populated`, `frozen`. A cgroup that is gone has no processes. */
  async event(name: 'populated' | 'frozen'): Promise<boolean> {
    try {
      return flat(await this.read('cgroup.events'))?.get(name) === 1;
    } catch (error) {
      if (error instanceof CgroupError && error.code === 'ERR_CGROUP_NOT_FOUND') return false;
      throw error;
    }
  }

  /** The directory for readers by path, as long as this is open. */
  get directory(): string {
    return `/proc/self/fd/${this.#directory.fd}`;
  }

  async close(): Promise<void> {
    await this.#directory.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #with<T>(file: string, flags: number, use: (handle: FileHandle) => Promise<T>): Promise<T> {
    const path = `${this.path}/${file}`;
    try {
      await using handle = await open(`${this.directory}/${file}`, flags);
      return await use(handle);
    } catch (error) {
      throw translate(error, path);
    }
  }
}

/** Whether a file is not there although its cgroup is: an older kernel, or a controller that is off. */
export async function lacks(cgroup: HeldCgroup, error: unknown): Promise<boolean> {
  if (!(error instanceof CgroupError) || errnoOf(error.cause) !== 'ENOENT') return false;
  return await cgroup.read('cgroup.events').then(
    () => true,
    () => false,
  );
}

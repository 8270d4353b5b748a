import { Beneath, SystemCallError } from '@nodecore/sys';

import { HostError, type HostErrorCode } from './errors.ts';
import type { Originals } from './originals.ts';
import { settingPath } from './setting-path.ts';

/** How a setting is, after it was made as wanted, or tried to. */
export type SettingStatus = {
  /** As it was asked for. */
  readonly key: string;
  /** Undefined for one that is given back. */
  readonly wanted: string | undefined;
  /** What the kernel says now; undefined when it can't be read. The kernel may have made another value of the wanted one. */
  readonly current: string | undefined;
  /** What it was before the first write. */
  readonly original: string | undefined;
  /** Why it is not as wanted; undefined when it is. */
  readonly error: HostError | undefined;
};

export type KernelSettingsParts = {
  /** `/proc/sys` or `/sys`. */
  readonly directory: string;
  readonly originals: Originals;
  /** Links below the directory lead to other files of it: `/sys/class/net/eth0`. */
  readonly followLinks?: boolean;
};

const codes: Readonly<Record<string, HostErrorCode>> = {
  ENOENT: 'ERR_HOST_NOT_FOUND',
  ENOTDIR: 'ERR_HOST_NOT_FOUND',
  EACCES: 'ERR_HOST_DENIED',
  EPERM: 'ERR_HOST_DENIED',
  EROFS: 'ERR_HOST_DENIED',
  EINVAL: 'ERR_HOST_VALUE',
  ERANGE: 'ERR_HOST_VALUE',
  EXDEV: 'ERR_HOST_NAME',
  ELOOP: 'ERR_HOST_NAME',
};

/**
 * Settings of the running kernel, as somebody wants them: written when they differ, and given back what was there before the
 * first write when nobody wants them any more. One setting that fails keeps no other from being made. Needs root.
 */
export class KernelSettings {
  readonly #files: Beneath;
  readonly #originals: Originals;

  constructor({ directory, originals, followLinks = false }: KernelSettingsParts) {
    this.#files = new Beneath(directory, { followLinks });
    this.#originals = originals;
  }

  /**
   * Makes these settings so, and gives back all others that were written before, also by a process before this one.
   *
   * @returns of every wanted setting how it is, and of those that could not be given back why.
   */
  async apply(wanted: ReadonlyMap<string, string>): Promise<readonly SettingStatus[]> {
    const statuses: SettingStatus[] = [];
    const paths = new Set<string>();
    for (const [key, value] of wanted) {
      try {
        const path = settingPath(key);
        paths.add(path);
        statuses.push(await this.#make(key, path, value));
      } catch (error) {
        statuses.push({ ...unknown, key, wanted: value, error: hostError(key, error) });
      }
    }
    for (const [path, original] of await this.#originals.all()) {
      if (paths.has(path)) continue;
      const error = await this.#giveBack(path, original);
      if (error !== undefined) {
        const current = await this.#read(path).catch(() => undefined);
        statuses.push({ key: path, wanted: undefined, current, original, error });
      }
    }
    return statuses;
  }

  async #make(key: string, path: string, value: string): Promise<SettingStatus> {
    const known = (await this.#originals.all()).get(path);
    const before = await this.#read(path).catch((error: unknown) => {
      if (isErrno(error, 'EACCES', 'EPERM', 'EIO')) return undefined; // some can only be written
      throw error;
    });
    let error: HostError | undefined;
    if (before === undefined || !isSame(before, value)) {
      if (before !== undefined) await this.#originals.remember(path, before);
      error = await this.#write(key, path, value);
    }
    const current = await this.#read(path).catch(() => undefined);
    // A value that was refused changed nothing: there is nothing to give back.
    if (error !== undefined && known === undefined && current === before) await this.#originals.forget(path);
    const original = known ?? (await this.#originals.all()).get(path) ?? before;
    return { key, wanted: value, current, original, error };
  }

  async #write(key: string, path: string, value: string): Promise<HostError | undefined> {
    try {
      await this.#files.write(path, `${value}\n`);
      return undefined;
    } catch (error) {
      return hostError(key, error);
    }
  }

  async #giveBack(path: string, original: string): Promise<HostError | undefined> {
    try {
      if (!isSame(await this.#read(path), original)) await this.#files.write(path, `${original}\n`);
    } catch (error) {
      // The device or the interface has gone, and its settings with it.
      if (!isErrno(error, 'ENOENT', 'ENOTDIR')) return hostError(path, error);
    }
    await this.#originals.forget(path);
    return undefined;
  }

  async #read(path: string): Promise<string> {
    const text = (await this.#files.read(path)).replace(/\n$/u, '');
    // Choices are read with the chosen one in brackets, and written alone: `none [mq-deadline] kyber`.
    return /^(?:[\w-]+ )*\[([\w-]+)\](?: [\w-]+)*$/u.exec(text.trim())?.[1] ?? text;
  }
}

const unknown = { current: undefined, original: undefined } as const;

/** The kernel writes tabs where people write blanks. */
function isSame(one: string, other: string): boolean {
  return one.trim().replaceAll(/\s+/gu, ' ') === other.trim().replaceAll(/\s+/gu, ' ');
}

function isErrno(error: unknown, ...names: readonly string[]): boolean {
  return error instanceof SystemCallError && names.includes(error.errno);
}

function hostError(subject: string, error: unknown): HostError {
  if (error instanceof HostError) return error;
  if (!(error instanceof SystemCallError)) throw error;
  const code = codes[error.errno] ?? 'ERR_HOST_FAILED';
  return new HostError(code, subject, messages[code] ?? error.errno, { cause: error });
}

const messages: Partial<Record<HostErrorCode, string>> = {
  ERR_HOST_NOT_FOUND: 'this kernel has no such setting',
  ERR_HOST_DENIED: 'the kernel refuses to change it here',
  ERR_HOST_VALUE: 'the kernel refuses the value',
  ERR_HOST_NAME: 'leads out of the directory',
};

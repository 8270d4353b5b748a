import { close, read } from 'node:fs';
import { promisify } from 'node:util';

import { errnoName } from '@nodecore/sys';

import { BlockError } from '../errors.ts';
import * as c from './ffi-mount.ts';

/**
 * One fsopen(2) context: a filesystem that is being configured. Owns the descriptor.
 * Errors carry what the filesystem itself says about the refusal, which errno alone doesn't tell.
 */
export class FilesystemContext {
  readonly #fd: number;
  readonly #source: string;
  #open = true;

  private constructor(fd: number, source: string) {
    this.#fd = fd;
    this.#source = source;
  }

  /** @param source names the device in errors. */
  static async open(type: string, source: string): Promise<FilesystemContext> {
    const { result, errno } = await c.fsopen(type, c.FSOPEN_CLOEXEC);
    if (result < 0) throw mountError('fsopen', source, errno, `${type} is not known to this kernel`);
    return new FilesystemContext(result, source);
  }

  async setFlag(key: string): Promise<void> {
    await this.#configure(c.FSCONFIG_SET_FLAG, key, null);
  }

  async setString(key: string, value: string): Promise<void> {
    await this.#configure(c.FSCONFIG_SET_STRING, key, value);
  }

  /** Reads the superblock and makes the filesystem; a mount of it, not yet attached anywhere, is the result. */
  async mount(attributes: number): Promise<DetachedMount> {
    await this.#configure(c.FSCONFIG_CMD_CREATE, null, null);
    const { result, errno } = await c.fsmount(this.#fd, c.FSMOUNT_CLOEXEC, attributes);
    if (result < 0) throw mountError('fsmount', this.#source, errno, await this.#messages());
    return new DetachedMount(result, this.#source);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await promisify(close)(this.#fd);
  }

  async #configure(command: number, key: string | null, value: string | null): Promise<void> {
    const { result, errno } = await c.fsconfig(this.#fd, command, key, value);
    if (result < 0) throw mountError('fsconfig', this.#source, errno, await this.#messages());
  }

  /** Each read(2) of the context gives one message such as `e ext4: bad option`, ENODATA when there are no more. */
  async #messages(): Promise<string> {
    const buffer = Buffer.alloc(4096);
    const messages: string[] = [];
    for (;;) {
      try {
        const { bytesRead } = await promisify(read)(this.#fd, buffer, 0, buffer.length, null);
        if (bytesRead === 0) break;
        messages.push(buffer.toString('utf8', 2, bytesRead).trim());
      } catch {
        break; // ENODATA
      }
    }
    return messages.join('; ');
  }
}

/** A mount that is in no directory yet; it vanishes with its descriptor unless it was attached. */
export class DetachedMount {
  readonly #fd: number;
  readonly #source: string;
  #open = true;

  constructor(fd: number, source: string) {
    this.#fd = fd;
    this.#source = source;
  }

  async attach(target: string): Promise<void> {
    const { result, errno } = await c.move_mount(this.#fd, target);
    if (result < 0) throw mountError('move_mount', this.#source, errno, `onto ${target}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await promisify(close)(this.#fd);
  }
}

/** The one place where errors of the mount calls become ours. */
export function mountError(syscall: string, device: string, number: number, detail: string): BlockError {
  const errno = errnoName(number);
  const code =
    errno === 'EBUSY'
      ? 'ERR_BLOCK_BUSY'
      : errno === 'EUCLEAN' || errno === 'EBADMSG' // a broken structure, a wrong checksum
        ? 'ERR_BLOCK_DAMAGED'
        : errno === 'ENOENT' || errno === 'ENODEV'
          ? 'ERR_BLOCK_NOT_FOUND'
          : 'ERR_BLOCK_FAILED';
  const message = `${syscall} on ${device}: ${errno}${detail === '' ? '' : ` (${detail})`}`;
  return new BlockError(code, device, message, { errno });
}

import { closeSync, constants, fstatSync, open, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { codeOf } from '@nodecore/sys';

import { trimError } from './errors.ts';

/**
 * The root directory of a mount, open for a single range: while it is, the filesystem can't be unmounted. O_PATH would not keep it
 * busy, and takes no ioctl.
 */
export class MountDirectory implements Disposable {
  readonly fd: number;

  private constructor(fd: number) {
    this.fd = fd;
  }

  /** Only the path may need a disk; what is asked afterwards the kernel has in memory, and a pool thread would cost more than it. */
  static async open(target: string): Promise<MountDirectory> {
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    try {
      return new MountDirectory(await promisify(open)(target, flags));
    } catch (error) {
      throw trimError(target, 'open', codeOf(error) ?? '', error);
    }
  }

  /** st_dev. */
  get device(): bigint {
    return fstatSync(this.fd, { bigint: true }).dev;
  }

  /** Of the mount that it was opened on, as mountinfo numbers them; proc_pid_fdinfo(5). */
  get mountId(): number | undefined {
    const information = readFileSync(`/proc/self/fdinfo/${this.fd}`, 'utf8');
    const id = /^mnt_id:\s*(\d+)$/m.exec(information)?.[1];
    return id === undefined ? undefined : Number(id);
  }

  [Symbol.dispose](): void {
    closeSync(this.fd);
  }
}

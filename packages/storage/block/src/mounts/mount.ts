import { chmod } from 'node:fs/promises';

import { makeDirectory } from '@nodecore/sys';

import { mount_setattr } from './ffi-mount.ts';
import { FilesystemContext, mountError } from './filesystem-context.ts';
import { attributeBits, attributeChange, type MountOptions } from './options.ts';

export type NewMount = {
  /** The block device. */
  readonly source: string;
  /** The directory; made with mode 0755, with its parents, when it is missing. */
  readonly target: string;
  /** `xfs`, `ext4`, … as the kernel names it. */
  readonly type: string;
  readonly options?: MountOptions;
  /** Options of the filesystem itself: `{ prjquota: true }`; `true` is an option without a value. */
  readonly data?: Readonly<Record<string, string | true>>;
  /** Permission bits of the filesystem's root, set after a writable mount. */
  readonly mode?: number;
};

/**
 * Mounts a filesystem (fsopen(2), fsconfig(2), fsmount(2), move_mount(2)). It appears in the target complete, with all
 * its options, or not at all. Needs root and Linux 5.12. The calls can't be interrupted.
 *
 * @throws {BlockError} `ERR_BLOCK_BUSY`, `ERR_BLOCK_NOT_FOUND` or `ERR_BLOCK_FAILED`, with errno and the words of the
 *   filesystem.
 */
export async function mount({
  source,
  target,
  type,
  options = {},
  data = {},
  mode,
}: NewMount): Promise<void> {
  await using context = await FilesystemContext.open(type, source);
  await context.setString('source', source);
  if (options.readOnly === true) await context.setFlag('ro');
  for (const [key, value] of Object.entries(data)) {
    await (value === true ? context.setFlag(key) : context.setString(key, value));
  }
  await using detached = await context.mount(attributeBits(options));
  await makeDirectory(target, { mode: 0o755 });
  await detached.attach(target);
  if (mode !== undefined && options.readOnly !== true) await chmod(target, mode);
}

/** Gives a live mount exactly these options (mount_setattr(2)). Needs root. */
export async function setOptions(target: string, options: MountOptions): Promise<void> {
  const { result, errno } = await mount_setattr(target, attributeChange(options));
  if (result < 0) throw mountError('mount_setattr', target, errno, '');
}

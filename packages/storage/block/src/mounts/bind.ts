import { chmod } from 'node:fs/promises';

import { makeDirectory } from '@nodecore/sys';

import { fmount_setattr, open_tree, OPEN_TREE_CLOEXEC, OPEN_TREE_CLONE } from './ffi-mount.ts';
import { DetachedMount, mountError } from './filesystem-context.ts';
import { attributeChange, type MountOptions } from './options.ts';

export type NewBind = {
  /** The directory that is seen at `target`; made with mode 0755, with its parents, when it is missing. */
  readonly source: string;
  /** May be the source itself, which then has mount options of its own. */
  readonly target: string;
  readonly options?: MountOptions;
  /** Permission bits of the directory, set before it appears. */
  readonly mode?: number;
};

/**
 * Shows a directory at a second place, or makes it a mount of its own (open_tree(2), mount_setattr(2), move_mount(2)). It
 * appears with all its options or not at all. What is mounted below the source is not taken along. Needs root and Linux
 * 5.12.
 *
 * @throws {BlockError} `ERR_BLOCK_BUSY`, `ERR_BLOCK_NOT_FOUND` or `ERR_BLOCK_FAILED`, with errno.
 */
export async function bind({ source, target, options = {}, mode }: NewBind): Promise<void> {
  await makeDirectory(source, { mode: 0o755 });
  if (mode !== undefined) await chmod(source, mode);
  const { result, errno } = await open_tree(source, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
  if (result < 0) throw mountError('open_tree', source, errno, '');
  await using detached = new DetachedMount(result, source);
  const changed = await fmount_setattr(result, attributeChange(options));
  if (changed.result < 0) throw mountError('mount_setattr', source, changed.errno, '');
  await makeDirectory(target, { mode: 0o755 });
  await detached.attach(target);
}

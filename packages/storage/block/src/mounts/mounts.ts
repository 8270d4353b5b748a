import { bind, type NewBind } from './bind.ts';
import { mount, type NewMount, setOptions } from './mount.ts';
import type { MountOptions } from './options.ts';
import { type Mount, readMounts } from './mountinfo.ts';
import { unmount, type UnmountOptions } from './unmount.ts';

/** The mounts of this process's namespace. */
export const mounts: {
  /** All of them, in the kernel's order, from proc_pid_mountinfo(5). */
  list(): Promise<Mount[]>;
  mount(mount: NewMount): Promise<void>;
  bind(bind: NewBind): Promise<void>;
  setOptions(target: string, options: MountOptions): Promise<void>;
  unmount(target: string, options?: UnmountOptions): Promise<void>;
} = { list: readMounts, mount, bind, setOptions, unmount };

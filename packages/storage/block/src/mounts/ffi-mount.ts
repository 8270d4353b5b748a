/** The mount system calls as glibc 2.36 and newer has them, and the constants that go with them. No logic here. */
import { lazy, loadLibrary, type WithErrno, withErrno } from '@nodecore/sys';

const libc = lazy(() => loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }));

export const AT_FDCWD = -100;
export const AT_EMPTY_PATH = 0x1000;
export const FSOPEN_CLOEXEC = 1;
export const FSCONFIG_SET_FLAG = 0;
export const FSCONFIG_SET_STRING = 1;
export const FSCONFIG_CMD_CREATE = 6;
export const FSMOUNT_CLOEXEC = 1;
export const MOVE_MOUNT_F_EMPTY_PATH = 4;
export const OPEN_TREE_CLONE = 1;
export const OPEN_TREE_CLOEXEC = 0o2000000;
export const MOUNT_ATTR_RDONLY = 0x01;
export const MOUNT_ATTR_NOSUID = 0x02;
export const MOUNT_ATTR_NODEV = 0x04;
export const MOUNT_ATTR_NOEXEC = 0x08;
export const MOUNT_ATTR_NOATIME = 0x10;
/** The field of access-time modes, which is cleared as a whole (mount_setattr(2)). */
export const MOUNT_ATTR__ATIME = 0x70;
export const UMOUNT_NOFOLLOW = 8;

const bound = {
  fsopen: lazy(() => libc().func('int fsopen(const char *fsname, unsigned int flags)')),
  fsconfig: lazy(() =>
    libc().func('int fsconfig(int fd, unsigned int cmd, const char *key, const char *value, int aux)'),
  ),
  fsmount: lazy(() => libc().func('int fsmount(int fsfd, unsigned int flags, unsigned int attr_flags)')),
  move_mount: lazy(() =>
    libc().func(
      'int move_mount(int from_dfd, const char *from, int to_dfd, const char *to, unsigned int flags)',
    ),
  ),
  mount_setattr: lazy(() =>
    libc().func(
      'int mount_setattr(int dfd, const char *path, unsigned int flags, const uint8_t *attr, size_t size)',
    ),
  ),
  open_tree: lazy(() => libc().func('int open_tree(int dfd, const char *path, unsigned int flags)')),
  umount2: lazy(() => libc().func('int umount2(const char *target, int flags)')),
  syncfs: lazy(() => libc().func('int syncfs(int fd)')),
};

type Result = Promise<WithErrno<number>>;

export function fsopen(name: string, flags: number): Result {
  return withErrno<number>((done) => bound.fsopen().async(name, flags, done));
}

export function fsconfig(fd: number, cmd: number, key: string | null, value: string | null): Result {
  return withErrno<number>((done) => bound.fsconfig().async(fd, cmd, key, value, 0, done));
}

export function fsmount(fd: number, flags: number, attributes: number): Result {
  return withErrno<number>((done) => bound.fsmount().async(fd, flags, attributes, done));
}

export function move_mount(fd: number, target: string): Result {
  return withErrno<number>((done) =>
    bound.move_mount().async(fd, '', AT_FDCWD, target, MOVE_MOUNT_F_EMPTY_PATH, done),
  );
}

/** @param attributes struct mount_attr: attr_set, attr_clr, propagation, userns_fd, 64 bits each. */
export function mount_setattr(target: string, attributes: Uint8Array): Result {
  return withErrno<number>((done) =>
    bound.mount_setattr().async(AT_FDCWD, target, 0, attributes, attributes.byteLength, done),
  );
}

/** The same for a mount that is in no directory yet. */
export function fmount_setattr(fd: number, attributes: Uint8Array): Result {
  return withErrno<number>((done) =>
    bound.mount_setattr().async(fd, '', AT_EMPTY_PATH, attributes, attributes.byteLength, done),
  );
}

export function open_tree(path: string, flags: number): Result {
  return withErrno<number>((done) => bound.open_tree().async(AT_FDCWD, path, flags, done));
}

export function umount2(target: string, flags: number): Result {
  return withErrno<number>((done) => bound.umount2().async(target, flags, done));
}

export function syncfs(fd: number): Result {
  return withErrno<number>((done) => bound.syncfs().async(fd, done));
}

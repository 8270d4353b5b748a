/**
 * The mount system calls as glibc 2.36 and newer has them, and the constants that go with them. No logic here.
 *
 * Each runs on a pool thread and can't be interrupted. A negative result is a failure, for which `errno` says why.
 */
import { lazy, loadLibrary, type WithErrno, withErrno } from '@nodecore/sys';

const libc = lazy(() => loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }));

/** In place of a directory's descriptor: a relative path begins at the working directory of the process. */
export const AT_FDCWD = -100;
/** With an empty path the call acts on the descriptor itself. */
export const AT_EMPTY_PATH = 0x1000;
/** Programs that this process starts don't inherit the descriptor of the context. */
export const FSOPEN_CLOEXEC = 1;
/** Sets an option that has no value; key given, value null. */
export const FSCONFIG_SET_FLAG = 0;
/** Sets an option to a string; the device is one, under the key `source`. */
export const FSCONFIG_SET_STRING = 1;
/** Reads the superblock with the options set so far and makes the filesystem; key and value are null. */
export const FSCONFIG_CMD_CREATE = 6;
/** Programs that this process starts don't inherit the descriptor of the mount. */
export const FSMOUNT_CLOEXEC = 1;
/** The source's path is empty: its descriptor is the mount to attach. */
export const MOVE_MOUNT_F_EMPTY_PATH = 4;
/**
 * Makes a detached copy of the mount at the path, without those below it; without the flag, the descriptor refers to the
 * original.
 */
export const OPEN_TREE_CLONE = 1;
/** O_CLOEXEC: programs that this process starts don't inherit the descriptor. */
export const OPEN_TREE_CLOEXEC = 0o2000000;
/** Nothing can be written through this mount; the filesystem may still be writable through another. */
export const MOUNT_ATTR_RDONLY = 0x01;
/** Set-user-id and set-group-id bits and file capabilities have no effect on execve(2). */
export const MOUNT_ATTR_NOSUID = 0x02;
/** Device nodes can't be opened: EACCES. */
export const MOUNT_ATTR_NODEV = 0x04;
/** Programs can't be executed: EACCES. */
export const MOUNT_ATTR_NOEXEC = 0x08;
/** A value of the field {@link MOUNT_ATTR__ATIME}: access times are never updated. Its value 0 means relatime. */
export const MOUNT_ATTR_NOATIME = 0x10;
/** The field of access-time modes, which is cleared as a whole (mount_setattr(2)). */
export const MOUNT_ATTR__ATIME = 0x70;
/** Does not follow a symbolic link in the last component of the target. */
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

/**
 * Opens a context for a filesystem type; the result is its descriptor, which the caller closes. Needs CAP_SYS_ADMIN. ENODEV
 * when the kernel has no such type.
 */
export function fsopen(name: string, flags: number): Result {
  return withErrno<number>((done) => bound.fsopen().async(name, flags, done));
}

/**
 * Sets one option of a context, or commands it (the `FSCONFIG_` constants). FSCONFIG_CMD_CREATE takes as long as reading the
 * superblock and replaying the journal. A refusal's reason can be read(2) from the descriptor.
 */
export function fsconfig(fd: number, cmd: number, key: string | null, value: string | null): Result {
  return withErrno<number>((done) => bound.fsconfig().async(fd, cmd, key, value, 0, done));
}

/**
 * Makes a mount of a created context; the result is its descriptor. The caller closes it, which unmounts it unless it was
 * attached with {@link move_mount}. Needs CAP_SYS_ADMIN.
 */
export function fsmount(fd: number, flags: number, attributes: number): Result {
  return withErrno<number>((done) => bound.fsmount().async(fd, flags, attributes, done));
}

/**
 * Attaches the detached mount of a descriptor to a directory that exists; the descriptor stays the caller's to close. Needs
 * CAP_SYS_ADMIN.
 */
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

/** {@link mount_setattr} for a detached mount, by its descriptor. */
export function fmount_setattr(fd: number, attributes: Uint8Array): Result {
  return withErrno<number>((done) =>
    bound.mount_setattr().async(fd, '', AT_EMPTY_PATH, attributes, attributes.byteLength, done),
  );
}

/**
 * The result is a descriptor, which the caller closes. OPEN_TREE_CLONE needs CAP_SYS_ADMIN, and a clone goes with its
 * descriptor unless it was attached.
 */
export function open_tree(path: string, flags: number): Result {
  return withErrno<number>((done) => bound.open_tree().async(AT_FDCWD, path, flags, done));
}

/**
 * Unmounts the topmost mount at the target. Needs CAP_SYS_ADMIN. EBUSY while it is in use, EINVAL when nothing is mounted
 * there. A filesystem's last unmount writes back what is dirty, which may block long.
 */
export function umount2(target: string, flags: number): Result {
  return withErrno<number>((done) => bound.umount2().async(target, flags, done));
}

/**
 * Writes back the filesystem that the descriptor is on, and blocks until that is done. Since Linux 5.8 it also fails for
 * earlier write-back that failed, once for each error.
 */
export function syncfs(fd: number): Result {
  return withErrno<number>((done) => bound.syncfs().async(fd, done));
}

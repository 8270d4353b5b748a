/** libc, function by function. */
import { lazy, loadLibrary } from '@nodecore/sys';

const libc = lazy(() => loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }));

/** reboot(2), as libc wraps it. It returns only when it fails. */
const rebootCall = lazy(() => libc().func('int reboot(int operation)'));

/** sync(2) */
const syncCall = lazy(() => libc().func('void sync()'));

/** Resolves when what programs have written is on the disks, of all filesystems; never while one of the disks hangs. */
export function writeBack(): Promise<void> {
  return new Promise((resolve) => {
    syncCall().async(() => resolve());
  });
}

/** RB_AUTOBOOT of sys/reboot.h: at once, without notice to any process. */
const autoboot = 0x0123_4567;

/**
 * Begins the machine anew, at once. Needs CAP_SYS_BOOT; the caller has written back what must be kept.
 *
 * @returns false, when the kernel refuses.
 */
export function reboot(): boolean {
  return rebootCall()(autoboot) === 0;
}

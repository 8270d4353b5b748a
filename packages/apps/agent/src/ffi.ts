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

/** mallopt(3) */
const malloptCall = lazy(() => libc().func('int mallopt(int param, int value)'));

/** M_ARENA_MAX of malloc.h */
const arenaMax = -8;

/** Has threads that begin to allocate share so many arenas: each of their own keeps some MiB of what it has freed. */
export function limitArenas(max: number): void {
  malloptCall()(arenaMax, max);
}

/** clock_settime(2) with a `struct timespec`: two numbers of 64 bits. */
const clockCall = lazy(() => libc().func('int clock_settime(int clock, const void *time)'));

/** CLOCK_REALTIME of time.h */
const realTime = 0;

/**
 * Sets the clock of the machine, milliseconds since 1970. Needs CAP_SYS_TIME.
 *
 * @returns false, when the kernel refuses.
 */
export function setClock(ms: number): boolean {
  const time = Buffer.alloc(16);
  time.writeBigInt64LE(BigInt(Math.floor(ms / 1000)), 0);
  time.writeBigInt64LE(BigInt(Math.floor(ms % 1000) * 1_000_000), 8);
  return clockCall()(realTime, time) === 0;
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

/** pidfd_open(2) and pidfd_send_signal(2), which older C libraries have no functions for. No logic here. */
import { loadLibrary } from './ffi.ts';
import { lazy } from './library.ts';

const libc = lazy(() => loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }));
const syscall = lazy(() => libc().func('long syscall(long number, long a, long b, long c, long d)'));

/** The same for all architectures that Linux came to later than 2019, and for x86-64 (asm-generic/unistd.h). */
const [sendSignal, openDescriptor] = [424, 434];

/** A descriptor of the process that has this id now, and of no other one that gets it later; -1 where there is none. The caller closes it. */
export function pidfdOpen(pid: number): number {
  return Number(syscall()(openDescriptor, pid, 0, 0, 0));
}

/** 0, or -1 when the process is gone or is another user's. */
export function pidfdSendSignal(descriptor: number, signal: number): number {
  return Number(syscall()(sendSignal, descriptor, signal, 0, 0));
}

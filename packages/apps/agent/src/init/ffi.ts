/** libc, function by function: a socket of messages, which Node.js has no stream for. */
import { lazy, loadLibrary } from '@nodecore/sys';

const libc = lazy(() => loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' }));

const receiveCall = lazy(() =>
  libc().func('long recv(int fd, _Out_ uint8_t *bytes, size_t size, int flags)'),
);
const sendCall = lazy(() => libc().func('long send(int fd, const uint8_t *bytes, size_t size, int flags)'));
const fcntlCall = lazy(() => libc().func('int fcntl(int fd, int command, int argument)'));

/** bits/socket.h: the call does not wait, and a socket that is closed at the other end raises no signal. */
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;
/** fcntl.h */
const F_SETFD = 2;
const FD_CLOEXEC = 1;

/** @returns how many bytes there were; 0 when the other end is closed; -1 when there is none, or nothing can be read. */
export function receive(fd: number, bytes: Uint8Array): number {
  return Number(receiveCall()(fd, bytes, bytes.length, MSG_DONTWAIT));
}

/** @returns whether all of it is on its way as one message. */
export function send(fd: number, bytes: Uint8Array): boolean {
  return Number(sendCall()(fd, bytes, bytes.length, MSG_DONTWAIT | MSG_NOSIGNAL)) === bytes.length;
}

/** From now on no child gets the descriptor. @returns false when there is no such descriptor. */
export function closeOnExec(fd: number): boolean {
  return fcntlCall()(fd, F_SETFD, FD_CLOEXEC) === 0;
}

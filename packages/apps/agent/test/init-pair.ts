import { closeSync } from 'node:fs';

import { loadLibrary } from '@nodecore/sys';
import type { ExecutionContext } from 'ava';

const libc = loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' });
const socketpair = libc.func('int socketpair(int domain, int type, int protocol, _Out_ int *ends)');
const recv = libc.func('long recv(int fd, _Out_ uint8_t *bytes, size_t size, int flags)');
const send = libc.func('long send(int fd, const uint8_t *bytes, size_t size, int flags)');

const AF_UNIX = 1;
const SOCK_SEQPACKET = 5;
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;

/** PID 1's end of the socket pair. */
export type InitDouble = {
  /** The agent's end. */
  readonly fd: number;
  /** What the agent has said since the last call. */
  readonly heard: () => string[];
  readonly ask: (message: string) => void;
  readonly close: () => void;
};

/** Both ends of a pair as PID 1 makes it; closed with the test. */
export function initPair(t: ExecutionContext): InitDouble {
  const ends = new Int32Array(2);
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) !== 0) throw new Error('no socket pair');
  const [own = -1, fd = -1] = ends;
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(own);
    isOpen = false;
  };
  t.teardown(() => {
    close();
    closeSync(fd);
  });
  return {
    fd,
    heard: () => {
      const messages: string[] = [];
      const bytes = Buffer.alloc(64);
      for (;;) {
        const length = Number(recv(own, bytes, bytes.length, MSG_DONTWAIT));
        if (length <= 0) return messages;
        messages.push(bytes.toString('latin1', 0, length));
      }
    },
    ask: (message) => void send(own, Buffer.from(message), message.length, MSG_NOSIGNAL),
    close,
  };
}

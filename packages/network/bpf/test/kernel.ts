import { constants } from 'node:os';

import { koffi, loadLibrary } from '@nodecore/sys';

const libc = loadLibrary('libc.so.6', { debian: 'libc6', fedora: 'glibc' });
koffi().struct('sock_fprog', { len: 'uint16_t', filter: 'const uint8_t *' });
const socketpair = libc.func('int socketpair(int domain, int type, int protocol, _Out_ int *sv)');
const setsockopt = libc.func(
  'int setsockopt(int fd, int level, int name, const sock_fprog *value, uint32_t length)',
);
const send = libc.func('long send(int fd, const uint8_t *buf, size_t len, int flags)');
const recv = libc.func('long recv(int fd, _Out_ uint8_t *buf, size_t len, int flags)');
const close = libc.func('int close(int fd)');

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOL_SOCKET = 1;
const SO_ATTACH_FILTER = 26;
const MSG_DONTWAIT = 0x40;

/** A pair of sockets whose receiving end runs programs: the kernel's own answer, without privileges. */
export class KernelFilter implements Disposable {
  readonly #sockets = new Int32Array(2);
  readonly #buffer = new Uint8Array(1 << 16);

  constructor() {
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, this.#sockets) !== 0) throw new Error('socketpair');
  }

  /** Whether the kernel takes these instructions. */
  attach(filter: Uint8Array): boolean {
    const program = { len: filter.length / 8, filter };
    const status: unknown = setsockopt(this.#sockets[1], SOL_SOCKET, SO_ATTACH_FILTER, program, 16);
    if (status === 0) return true;
    if (koffi().errno() === constants.errno.EINVAL) return false;
    throw new Error(`setsockopt: errno ${koffi().errno()}`);
  }

  /** How many bytes of the packet arrive: the program's answer or the packet's length, whichever is less. */
  run(packet: Uint8Array): number {
    if (send(this.#sockets[0], packet, packet.length, MSG_DONTWAIT) !== packet.length)
      throw new Error('send');
    const received = Number(recv(this.#sockets[1], this.#buffer, this.#buffer.length, MSG_DONTWAIT));
    if (received >= 0) return received;
    if (koffi().errno() === constants.errno.EAGAIN) return 0;
    throw new Error(`recv: errno ${koffi().errno()}`);
  }

  [Symbol.dispose](): void {
    close(this.#sockets[0]);
    close(this.#sockets[1]);
  }
}

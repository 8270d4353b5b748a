import { constants } from 'node:os';

const names: ReadonlyMap<number, string> = new Map([
  ...Object.entries(constants.errno).map(([name, number]): [number, string] => [number, name]),
  // asm-generic/errno.h: what a filesystem says of a broken structure; Node has no name for it.
  [117, 'EUCLEAN'],
]);

/**
 * The name of an errno, given as the kernel has it (`22`) or as C libraries return it (`-22`): `EINVAL`.
 * A number the platform does not know is spelt out (`errno 4095`), so that it is never lost.
 */
export function errnoName(errno: number): string {
  const positive = Math.abs(errno);
  // EAGAIN and EWOULDBLOCK are one number on Linux; errno(3) writes EAGAIN first.
  if (positive === constants.errno.EAGAIN) return 'EAGAIN';
  if (positive === constants.errno.EOPNOTSUPP) return 'EOPNOTSUPP';
  return names.get(positive) ?? `errno ${positive}`;
}

import { join } from 'node:path';

/** unix(7): 108, with the NUL behind it. */
const maxPathBytes = 107;

/**
 * Where the member answers its own node in plain text, for what comes by the gigabyte: a directory that root alone may enter stands for
 * the certificate. Undefined where the path is too long for a socket; then everything goes over TLS.
 */
export function memberSocket(directory: string): string | undefined {
  const path = join(directory, 'client');
  // What would be something else in a URL, or end it in a list of them.
  const isPlain = /^[\w./-]+$/.test(path) && path.startsWith('/');
  return isPlain && Buffer.byteLength(path) <= maxPathBytes ? path : undefined;
}

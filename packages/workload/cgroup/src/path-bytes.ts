import { closeSync, constants, openSync } from 'node:fs';

/** What the addon makes of a byte that is no UTF-8, and of a name that has such an escape itself. */
const escape = /\\x\{([0-9a-f]{2})\}/g;

/**
 * A path as the kernel has it. Names of cgroups may hold any bytes: in paths of a tree those that are no UTF-8 stand as
 * `\x{ff}`, so that two cgroups never have the same path; here they are bytes again.
 */
export function pathBytes(path: string): string | Buffer {
  if (!path.includes('\\x{')) return path;
  const parts: Buffer[] = [];
  let end = 0;
  for (const { 0: all, 1: hex = '', index } of path.matchAll(escape)) {
    parts.push(Buffer.from(path.slice(end, index)), Buffer.from(hex, 'hex'));
    end = index + all.length;
  }
  parts.push(Buffer.from(path.slice(end)));
  return Buffer.concat(parts);
}

/** For who takes only text: a path of text that leads there, as long as the call takes. */
export function reachable<Result>(path: string, use: (path: string) => Result): Result {
  const bytes = pathBytes(path);
  if (typeof bytes === 'string') return use(path);
  const fd = openSync(bytes, constants.O_RDONLY);
  try {
    return use(`/proc/self/fd/${fd}`);
  } finally {
    closeSync(fd);
  }
}

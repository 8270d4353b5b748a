import { createHash } from 'node:crypto';

import type { LogRing, ReadLogOptions } from '../src/index.ts';

export const segmentBytes: number = 64 << 10;

/** The file of a log whose first byte has this offset. */
export function nameOf(start: number): string {
  return `log.${String(start).padStart(20, '0')}`;
}

/** A whole file that no compression makes smaller, another one for each number. */
export function filled(number: number): Buffer {
  const hashes = Array.from({ length: segmentBytes / 64 }, (_, index) =>
    createHash('sha512').update(`${number} ${index}`).digest(),
  );
  return Buffer.concat(hashes);
}

/** What is kept, each byte as a character. */
export async function textOf(log: LogRing, options?: ReadLogOptions): Promise<string> {
  const pieces = await Array.fromAsync(log.read(options));
  return Buffer.concat(pieces.map(({ data }) => data)).toString('latin1');
}

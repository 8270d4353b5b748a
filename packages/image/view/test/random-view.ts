import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { fileView, View } from '../src/index.ts';

/** The same numbers for the same seed, so that a failure can be repeated. */
export function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A view of made bytes, file ranges, holes and other views, and the bytes that it must have. */
export async function randomView(
  directory: string,
  next: (below: number) => number,
): Promise<{ view: View; bytes: Buffer }> {
  const content = Buffer.from(Array.from({ length: 700_000 }, () => next(256)));
  const path = join(directory, 'input');
  await writeFile(path, content);
  const file = await fileView(path);
  const parts: View[] = [];
  const bytes: Buffer[] = [];
  for (let count = next(12); count > 0; count--) {
    const kind = next(4);
    const start = next(content.length);
    const end = start + next(Math.min(kind === 1 ? 600_000 : 5000, content.length - start) + 1);
    if (kind === 0) {
      parts.push(View.of({ kind: 'hole', size: end - start }));
      bytes.push(Buffer.alloc(end - start));
    } else if (kind === 1) {
      parts.push(file.slice(start, end));
      bytes.push(content.subarray(start, end));
    } else if (kind === 2) {
      parts.push(View.of(content.subarray(start, end)));
      bytes.push(content.subarray(start, end));
    } else {
      // Two that are one range, and must become one extent.
      const middle = start + next(end - start + 1);
      parts.push(View.of(file.slice(start, middle), file.slice(middle, end)));
      bytes.push(content.subarray(start, end));
    }
  }
  return { view: View.of(...parts), bytes: Buffer.concat(bytes) };
}

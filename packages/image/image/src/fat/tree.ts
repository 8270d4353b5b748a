import type { View } from '@nodecore/view';

import { ImageError } from '../errors.ts';

/** A file that is to be in the file system; directories on the way are made. */
export type FatFile = {
  /** From the root, with `/`. */
  readonly path: string;
  readonly content: View;
};

/** A directory, with everything in the order in which it was named first. */
export type FatDirectory = {
  readonly kind: 'directory';
  readonly children: Map<string, FatNode>;
};

export type FatNode = FatDirectory | { readonly kind: 'file'; readonly content: View };

/** @throws {ImageError} `ERR_IMAGE_NAME` for a file that is also a directory, is there twice, or has no name. */
export function treeOf(files: readonly FatFile[]): FatDirectory {
  const root: FatDirectory = { kind: 'directory', children: new Map() };
  for (const { path, content } of files) {
    const parts = path.replace(/^\//, '').split('/');
    const name = parts.pop() ?? '';
    let directory = root;
    for (const part of parts) {
      const next = directory.children.get(part) ?? { kind: 'directory', children: new Map() };
      if (next.kind === 'file') throw new ImageError('ERR_IMAGE_NAME', `${path}: ${part} is a file`);
      directory.children.set(part, next);
      directory = next;
    }
    if (['', '.', '..'].includes(name) || directory.children.has(name)) {
      throw new ImageError('ERR_IMAGE_NAME', `${path} is no name, or there is one already`);
    }
    directory.children.set(name, { kind: 'file', content });
  }
  return root;
}

import { View } from '@nodecore/view';

import { ImageError } from './errors.ts';

/** Something in an archive for the kernel; owner and group are root. */
export type CpioEntry = {
  /** From the root, with or without a leading `/`. */
  readonly path: string;
  /** Permission bits; 0o755 for directories, 0o644 for files by default. */
  readonly mode?: number;
} & ({ readonly kind: 'file'; readonly content: View } | { readonly kind: 'directory' });

const trailer = 'TRAILER!!!';

/**
 * An archive that the kernel unpacks as (a part of) its initramfs: `newc`, not compressed, so that files are extents.
 * Directories on the way are made, with 0o755. Its size is a multiple of 4: archives may be put one behind the other.
 *
 * @throws {ImageError} `ERR_IMAGE_NAME`; `ERR_IMAGE_TOO_LARGE` from 4 GiB on.
 */
export function cpio(entries: readonly CpioEntry[]): View {
  const parts: (View | Uint8Array)[] = [];
  const seen = new Set<string>();
  let number = 0;
  const put = (path: string, mode: number, content: View): void => {
    if (content.size > 0xffffffff)
      throw new ImageError('ERR_IMAGE_TOO_LARGE', `${path}: ${content.size} bytes`);
    seen.add(path);
    parts.push(
      head(path, { inode: ++number, mode, links: 1, size: content.size }),
      content,
      fill(content.size),
    );
  };
  for (const entry of entries) {
    const path = plainPath(entry.path);
    const directories = path.split('/').slice(0, -1);
    for (let depth = 1; depth <= directories.length; depth++) {
      const parent = directories.slice(0, depth).join('/');
      if (!seen.has(parent)) put(parent, 0o040755, View.of());
    }
    if (seen.has(path)) throw new ImageError('ERR_IMAGE_NAME', `${path} is there twice`);
    if (entry.kind === 'directory') put(path, 0o040000 | (entry.mode ?? 0o755), View.of());
    else put(path, 0o100000 | (entry.mode ?? 0o644), entry.content);
  }
  parts.push(head(trailer, { inode: 0, mode: 0, links: 1, size: 0 }));
  return View.of(...parts);
}

function plainPath(path: string): string {
  const plain = path.replace(/^\//, '');
  const isValid = plain.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isValid || plain.includes('\0') || plain === trailer) {
    throw new ImageError('ERR_IMAGE_NAME', `${JSON.stringify(path)} is no path of an archive`);
  }
  return plain;
}

type Head = { readonly inode: number; readonly mode: number; readonly links: number; readonly size: number };

function head(path: string, { inode, mode, links, size }: Head): Buffer {
  const name = Buffer.from(`${path}\0`);
  const fields = [inode, mode, 0, 0, links, 0, size, 0, 0, 0, 0, name.length, 0];
  const text = `070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}`;
  return Buffer.concat([Buffer.from(text, 'latin1'), name, fill(text.length + name.length)]);
}

function fill(size: number): Buffer {
  return Buffer.alloc((4 - (size % 4)) % 4);
}

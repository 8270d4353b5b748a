import { OciError } from '../errors.ts';

/** A file or directory of a layer. `T` is whatever the caller has its content as. */
export type TarEntry<T> =
  | { readonly path: string; readonly mode?: number; readonly size: number; readonly content: T }
  | { readonly path: string; readonly mode?: number; readonly directory: true };

const block = 512;

/**
 * A tar archive as its parts, in order: headers and padding that are made here, contents as they were given. The same
 * entries always give the same bytes: owner 0, time 0, POSIX ustar. Entries stay in the order that they were given.
 *
 * @throws {OciError} with `ERR_OCI_LAYER` for a path that is absolute, leaves the layer, or is longer than 100 bytes, and
 *   for a size of 8 GiB and more.
 */
export function tarParts<T>(entries: readonly TarEntry<T>[]): readonly (Uint8Array | T)[] {
  const parts = entries.flatMap((entry): (Uint8Array | T)[] => {
    const header = headerOf(entry);
    if ('directory' in entry) return [header];
    const padding = Buffer.alloc((block - (entry.size % block)) % block);
    return [header, entry.content, padding].filter(
      (part) => !(part instanceof Uint8Array) || part.length > 0,
    );
  });
  return [...parts, Buffer.alloc(2 * block)];
}

function headerOf<T>(entry: TarEntry<T>): Buffer {
  const isDirectory = 'directory' in entry;
  const path = isDirectory ? `${entry.path}/` : entry.path;
  if (
    !/^[A-Za-z0-9._+-]+(?:\/[A-Za-z0-9._+-]+)*$/.test(entry.path) ||
    entry.path.split('/').some((part) => /^\.\.?$/.test(part))
  )
    throw new OciError('ERR_OCI_LAYER', `${entry.path}: no path of a layer`);
  if (path.length > 100) throw new OciError('ERR_OCI_LAYER', `${entry.path}: longer than 100 bytes`);
  const size = isDirectory ? 0 : entry.size;
  if (!Number.isSafeInteger(size) || size < 0 || size >= 8 ** 11)
    throw new OciError('ERR_OCI_LAYER', `${entry.path}: ${size} is no size of a file in a layer`);
  const header = Buffer.alloc(block);
  const octal = (value: number, offset: number, length: number): void => {
    header.write(value.toString(8).padStart(length - 1, '0'), offset);
  };
  header.write(path, 0);
  octal(entry.mode ?? (isDirectory ? 0o755 : 0o644), 100, 8);
  octal(0, 108, 8); // owner
  octal(0, 116, 8); // group
  octal(size, 124, 12);
  octal(0, 136, 12); // time
  header.write(isDirectory ? '5' : '0', 156);
  header.write('ustar\x0000', 257);
  // The checksum counts its own field as spaces.
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** One regular file of an archive; parent directories are made. */
export type ArchiveFile = { readonly path: string; readonly mode: number; readonly content: Uint8Array };

const directoryMode = 0o040755;
const regularFile = 0o100000;

/**
 * A cpio archive in the "newc" format, as the kernel unpacks it as its first filesystem: owner 0, time 0, numbers in the order of
 * the files. Its length is a multiple of four, so that another archive may follow.
 */
export function cpioArchive(files: readonly ArchiveFile[]): Buffer {
  const parts: Buffer[] = [];
  const made = new Set<string>();
  let number = 1;
  const add = (path: string, mode: number, content: Uint8Array): void => {
    parts.push(header(number, path, mode, content.length), padded(content));
    number += 1;
  };
  for (const { path, mode, content } of files) {
    const steps = path.split('/');
    for (let depth = 1; depth < steps.length; depth += 1) {
      const directory = steps.slice(0, depth).join('/');
      if (made.has(directory)) continue;
      made.add(directory);
      add(directory, directoryMode, Buffer.alloc(0));
    }
    add(path, regularFile | mode, content);
  }
  parts.push(header(0, 'TRAILER!!!', 0, 0));
  return Buffer.concat(parts);
}

function header(number: number, path: string, mode: number, size: number): Buffer {
  const name = Buffer.from(`${path}\0`);
  // inode, mode, uid, gid, links, mtime, size, device major/minor, special major/minor, name length, checksum
  const fields = [number, mode, 0, 0, 1, 0, size, 0, 0, 0, 0, name.length, 0];
  const text = `070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}`;
  return padded(Buffer.concat([Buffer.from(text), name]));
}

function padded(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

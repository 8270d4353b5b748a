/** One regular file of an archive; missing parent directories are made. */
export type ArchiveFile = { readonly path: string; readonly mode: number; readonly content: Uint8Array };

const directoryMode = 0o040755;
const regularFile = 0o100000;

/** A cpio archive in the "newc" format, the one the kernel unpacks as its first filesystem (initramfs buffer format). */
export function cpio(files: readonly ArchiveFile[]): Buffer {
  const parts: Buffer[] = [];
  const made = new Set<string>();
  let inode = 1;
  const add = (path: string, mode: number, content: Uint8Array): void => {
    parts.push(header(inode, path, mode, content.length), padded(content));
    inode += 1;
  };
  for (const file of files) {
    const steps = file.path.split('/');
    for (let depth = 1; depth < steps.length; depth += 1) {
      const directory = steps.slice(0, depth).join('/');
      if (made.has(directory)) continue;
      made.add(directory);
      add(directory, directoryMode, Buffer.alloc(0));
    }
    add(file.path, regularFile | file.mode, file.content);
  }
  parts.push(header(0, 'TRAILER!!!', 0, 0));
  return Buffer.concat(parts);
}

function header(inode: number, path: string, mode: number, size: number): Buffer {
  const name = Buffer.from(`${path}\0`);
  // inode, mode, uid, gid, links, mtime, size, device major/minor, special major/minor, name length, checksum
  const fields = [inode, mode, 0, 0, 1, 0, size, 0, 0, 0, 0, name.length, 0];
  const text = `070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}`;
  return padded(Buffer.concat([Buffer.from(text), name]));
}

/** Headers with their names, and contents, end on a multiple of four bytes. */
function padded(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

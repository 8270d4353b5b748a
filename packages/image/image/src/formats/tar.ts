import { View } from '@nodecore/view';

import { ImageError } from '../errors.ts';

const blockSizeBytes = 512;
/** What GNU tar writes at once; some programs read nothing smaller. */
const recordSizeBytes = 20 * blockSizeBytes;
/** What eleven octal digits say. */
const largestOctal = 8 ** 11 - 1;

export type TarFile = { readonly name: string; readonly content: View };

/**
 * An archive in the old format of GNU tar, which clouds take that import disks: files of any size, in the order that they were given,
 * not sparse. Owner and time are 0.
 *
 * @throws {ImageError} `ERR_IMAGE_NAME`.
 */
export function gnuTar(files: readonly TarFile[]): View {
  const parts = files.flatMap(({ name, content }) => [
    View.of(headerOf(name, content.size)),
    content,
    View.of({ kind: 'hole', size: (blockSizeBytes - (content.size % blockSizeBytes)) % blockSizeBytes }),
  ]);
  const view = View.of(...parts, { kind: 'hole', size: 2 * blockSizeBytes });
  const end = Math.ceil(view.size / recordSizeBytes) * recordSizeBytes;
  return View.of(view, { kind: 'hole', size: end - view.size });
}

function headerOf(name: string, size: number): Buffer {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,98}$/.test(name))
    throw new ImageError('ERR_IMAGE_NAME', `${JSON.stringify(name)} is no name in an archive`);
  const header = Buffer.alloc(blockSizeBytes);
  const octal = (value: number, offset: number, length: number): void => {
    header.write(value.toString(8).padStart(length - 1, '0'), offset, 'latin1');
  };
  header.write(name, 0, 'latin1');
  octal(0o644, 100, 8);
  octal(0, 108, 8); // owner
  octal(0, 116, 8); // group
  if (size <= largestOctal) octal(size, 124, 12);
  else {
    header.writeUInt8(0x80, 124); // a number in binary follows
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  octal(0, 136, 12); // time
  header.write('0', 156, 'latin1');
  header.write('ustar  ', 257, 'latin1');
  header.fill(' ', 148, 156); // the checksum counts its own field as spaces
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

import { EfiError } from '../errors.ts';
import { type BootFile, encodeDevicePath, parseDevicePath } from './device-path.ts';

/** What a variable `Boot####` says (EFI_LOAD_OPTION, UEFI 2.10, 3.1.3). */
export type LoadOption = {
  /** Shown in the firmware's menu. */
  readonly description: string;
  /** Undefined where it starts something else: a network card, a shell, a disk by its port. */
  readonly file: BootFile | undefined;
};

const active = 1;
const headerBytes = 6;

/**
 * An active option that starts a file.
 *
 * @throws {EfiError} `ERR_EFI_VARIABLE` for a description or a path that holds NUL, or is no text of one line.
 */
export function encodeLoadOption({ description, file }: LoadOption & { readonly file: BootFile }): Buffer {
  for (const text of [description, file.path])
    if (!/^[\x20-\x7e]{1,255}$/u.test(text))
      throw new EfiError('ERR_EFI_VARIABLE', `${JSON.stringify(text)} can't be in a boot option`);
  const paths = encodeDevicePath(file);
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(active, 0);
  header.writeUInt16LE(paths.length, 4);
  return Buffer.concat([header, Buffer.from(`${description}\0`, 'utf16le'), paths]);
}

/** Undefined for bytes that are none. Firmware and other systems write all kinds of them. */
export function parseLoadOption(value: Buffer): LoadOption | undefined {
  if (value.length < headerBytes + 2) return undefined;
  const pathBytes = value.readUInt16LE(4);
  let at = headerBytes;
  while (at + 2 <= value.length && value.readUInt16LE(at) !== 0) at += 2;
  const start = at + 2;
  if (start > value.length || start + pathBytes > value.length) return undefined;
  return {
    description: value.toString('utf16le', headerBytes, at),
    file: parseDevicePath(value.subarray(start, start + pathBytes)),
  };
}

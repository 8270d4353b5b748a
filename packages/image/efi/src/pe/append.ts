import { View } from '@nodecore/view';

import { EfiError } from '../errors.ts';
import { coff, header, optional } from './layout.ts';
import type { Pe } from './pe.ts';

/** A section that is put behind those of a file. */
export type NewSection = {
  /** At most 8 characters, with the dot. */
  readonly name: string;
  readonly content: View;
  /** Code, which the firmware may run; default data that is only read. */
  readonly code?: boolean;
};

/** IMAGE_SCN_MEM_READ with initialised data, or with code. */
const dataFlags = 0x4000_0040;
const codeFlags = 0x4000_0020;
const maxBytes = 0xffff_ffff;

/**
 * The image with more sections, as a view: new headers, the image's own bytes, each content behind padding. Nothing is read. It
 * is not signed, whatever the image was, and has no checksum.
 *
 * @param clearDllFlags flags of DllCharacteristics that the result must not have.
 * @throws {EfiError} `ERR_EFI_PE` when its headers have no room for them, when it has a section of that name, or bytes behind its
 * sections, and when it would have 4 GiB.
 */
export function appendSections(pe: Pe, added: readonly NewSection[], clearDllFlags = 0): View {
  const headers = Buffer.from(pe.headers);
  const parts: (View | Uint8Array)[] = [];
  let fileAt = endOfSections(pe);
  let memoryAt = Math.max(
    ...pe.sections.map(({ virtualAddress, virtualSize }) => virtualAddress + virtualSize),
  );
  let dataBytes = 0;
  for (const [n, { name, content, code = false }] of added.entries()) {
    const offset = aligned(fileAt, pe.fileAlignment);
    const address = aligned(memoryAt, pe.sectionAlignment);
    const size = aligned(content.size, pe.fileAlignment);
    const isTooLarge = offset + size > maxBytes || address + content.size > maxBytes - pe.sectionAlignment;
    if (isTooLarge) throw refused('the image would have 4 GiB');
    if (content.size === 0) throw refused(`section ${name} is empty`);
    const at = roomFor(pe, headers, name, n);
    headers.write(name, at, 'latin1');
    headers.writeUInt32LE(content.size, at + header.virtualSize);
    headers.writeUInt32LE(address, at + header.virtualAddress);
    headers.writeUInt32LE(size, at + header.rawSize);
    headers.writeUInt32LE(offset, at + header.rawOffset);
    headers.writeUInt32LE(code ? codeFlags : dataFlags, at + header.characteristics);
    parts.push(Buffer.alloc(offset - fileAt), content, Buffer.alloc(size - content.size));
    fileAt = offset + size;
    memoryAt = address + content.size;
    if (!code) dataBytes += size;
  }
  const { at } = pe;
  const data = at.optional + optional.sizeOfInitializedData;
  headers.writeUInt16LE(pe.sections.length + added.length, at.coff + coff.sectionCount);
  headers.writeUInt32LE(Math.min(headers.readUInt32LE(data) + dataBytes, maxBytes), data);
  headers.writeUInt32LE(aligned(memoryAt, pe.sectionAlignment), at.optional + optional.sizeOfImage);
  headers.writeUInt32LE(0, at.checksum);
  headers.fill(0, at.security, at.security + 8);
  const dllFlags = at.optional + optional.dllCharacteristics;
  headers.writeUInt16LE(headers.readUInt16LE(dllFlags) & ~clearDllFlags, dllFlags);
  return View.of(headers, pe.view.slice(headers.length, endOfSections(pe)), ...parts);
}

/** Where the next section header goes: behind the others, where the headers are still empty. */
function roomFor(pe: Pe, headers: Buffer, name: string, n: number): number {
  const at = pe.at.sectionTable + (pe.sections.length + n) * header.size;
  if (!/^\.[a-z0-9]{1,7}$/u.test(name)) throw refused(`${JSON.stringify(name)} is no name of a section`);
  if (pe.sections.some((section) => section.name === name)) throw refused(`it has a section ${name} already`);
  const room = headers.subarray(at, at + header.size);
  if (room.length < header.size || room.some((byte) => byte !== 0)) {
    throw refused(`its headers have no room for section ${name}`);
  }
  return at;
}

function endOfSections({ sections, headers, end }: Pe): number {
  const last = Math.max(
    headers.length,
    ...sections.map(({ offset, size }) => (size === 0 ? 0 : offset + size)),
  );
  if (last !== end) throw refused('bytes behind its last section belong to nothing');
  return last;
}

function aligned(value: number, alignment: number): number {
  return Math.ceil(value / alignment) * alignment;
}

function refused(why: string): EfiError {
  return new EfiError('ERR_EFI_PE', `sections can't be added: ${why}`);
}

import type { View } from '@nodecore/view';

import { EfiError } from '../errors.ts';
import { coff, dos, header, optional } from './layout.ts';

/** A section as its header has it. Addresses are relative to the image's base; offsets count in the file. */
export type PeSection = {
  readonly name: string;
  readonly virtualAddress: number;
  /** Bytes in memory; what is meant, where the file has padding behind it. */
  readonly virtualSize: number;
  readonly offset: number;
  readonly size: number;
  readonly characteristics: number;
};

/** A PE32+ file whose parts were proven to lie inside it and apart from each other. */
export type Pe = {
  readonly view: View;
  /** From the beginning to SizeOfHeaders. A copy. */
  readonly headers: Buffer;
  /** IMAGE_FILE_MACHINE: 0x8664 is amd64, 0xaa64 is arm64. */
  readonly machine: number;
  readonly sections: readonly PeSection[];
  readonly sectionAlignment: number;
  readonly fileAlignment: number;
  readonly sizeOfImage: number;
  /** Where fields are that a writer changes, in `headers`. */
  readonly at: {
    readonly coff: number;
    readonly optional: number;
    readonly checksum: number;
    readonly security: number;
    readonly sectionTable: number;
  };
  /** Where the certificate table begins, or the file ends when it has none. */
  readonly end: number;
  /** Bytes of the certificate table; 0 when it is not signed. */
  readonly certificateBytes: number;
};

const maxHeaderBytes = 1 << 16;
/** The PE format's own limit. */
const maxSections = 96;
/** Images are loaded into memory below 4 GiB of address space of their own. */
const maxImageBytes = 0xffff_ffff;
/** Certificate tables of images in the wild are below 20 KiB. */
const maxCertificateBytes = 1 << 18;

/**
 * Reads the headers of a PE32+ file and proves what they say. Reads at most 64 KiB, whatever the file claims.
 *
 * @throws {EfiError} `ERR_EFI_PE` naming what is wrong.
 */
export async function readPe(view: View): Promise<Pe> {
  const start = await view.slice(0, Math.min(view.size, maxHeaderBytes)).bytes();
  const coffAt = newHeader(start);
  const optionalAt = coffAt + coff.optionalHeader;
  const optionalSize = start.readUInt16LE(coffAt + coff.optionalHeaderSize);
  need(start, optionalAt, optional.directories, 'the optional header');
  if (start.readUInt16LE(optionalAt) !== optional.magic) throw refused('it is not PE32+');
  const field = (offset: number): number => start.readUInt32LE(optionalAt + offset);
  const directories = field(optional.directoryCount);
  if (directories < 5 || directories > 16) throw refused(`it has ${directories} data directories`);
  if (optionalSize < optional.directories + directories * 8)
    throw refused('its optional header is too short');
  const sectionTable = optionalAt + optionalSize;
  const count = start.readUInt16LE(coffAt + coff.sectionCount);
  if (count === 0 || count > maxSections) throw refused(`it has ${count} sections`);
  const sizeOfHeaders = field(optional.sizeOfHeaders);
  if (sizeOfHeaders > start.length || sizeOfHeaders < sectionTable + count * header.size) {
    throw refused(`its headers can't be ${sizeOfHeaders} bytes`);
  }
  const sections = Array.from({ length: count }, (_, n) =>
    readSection(start, sectionTable + n * header.size),
  );
  const security = optionalAt + optional.security;
  const certificates = certificateTable(view.size, start, security);
  const pe: Pe = {
    view,
    headers: Buffer.from(start.subarray(0, sizeOfHeaders)),
    machine: start.readUInt16LE(coffAt + coff.machine),
    sections,
    sectionAlignment: alignment(field(optional.sectionAlignment)),
    fileAlignment: alignment(field(optional.fileAlignment)),
    sizeOfImage: field(optional.sizeOfImage),
    at: {
      coff: coffAt,
      optional: optionalAt,
      checksum: optionalAt + optional.checksum,
      security,
      sectionTable,
    },
    end: view.size - certificates,
    certificateBytes: certificates,
  };
  provePlaces(pe);
  return pe;
}

function newHeader(start: Buffer): number {
  need(start, 0, dos.size, 'the DOS header');
  if (start.readUInt16LE(0) !== dos.magic) throw refused('it does not begin with MZ');
  const at = start.readUInt32LE(dos.newHeader);
  need(start, at, coff.optionalHeader, 'the COFF header');
  if (start.readUInt32LE(at) !== coff.signature) throw refused('it has no PE signature');
  return at;
}

function readSection(start: Buffer, at: number): PeSection {
  const name = start.subarray(at, at + header.nameSize);
  const end = name.indexOf(0);
  return {
    name: name.subarray(0, end === -1 ? name.length : end).toString('latin1'),
    virtualSize: start.readUInt32LE(at + header.virtualSize),
    virtualAddress: start.readUInt32LE(at + header.virtualAddress),
    size: start.readUInt32LE(at + header.rawSize),
    offset: start.readUInt32LE(at + header.rawOffset),
    characteristics: start.readUInt32LE(at + header.characteristics),
  };
}

/** Bytes of the table, which stands at the end of the file: what is behind it would be covered by nothing. */
function certificateTable(fileSize: number, start: Buffer, at: number): number {
  const offset = start.readUInt32LE(at);
  const size = start.readUInt32LE(at + 4);
  if (size === 0 && offset === 0) return 0;
  if (size < 8 || size > maxCertificateBytes || offset + size !== fileSize || offset % 8 !== 0) {
    throw refused(`its certificate table can't be ${size} bytes at ${offset}`);
  }
  return size;
}

function provePlaces({ sections, headers, sizeOfImage, end, view }: Pe): void {
  if (view.size > maxImageBytes) throw refused(`it has ${view.size} bytes`);
  if (end < headers.length) throw refused('its certificate table lies in its headers');
  let fileEnd = headers.length;
  const inFile = sections.filter(({ size }) => size > 0);
  for (const { name, offset, size } of inFile.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < fileEnd) throw refused(`section ${printable(name)} overlaps what is before it in the file`);
    fileEnd = offset + size;
    if (fileEnd > end) throw refused(`section ${printable(name)} reaches behind the end of the file`);
  }
  let memoryEnd = 0;
  for (const section of sections.toSorted((a, b) => a.virtualAddress - b.virtualAddress)) {
    const name = printable(section.name);
    if (section.virtualAddress < memoryEnd) throw refused(`section ${name} overlaps another in memory`);
    memoryEnd = section.virtualAddress + section.virtualSize;
    if (memoryEnd > sizeOfImage) throw refused(`section ${name} reaches behind the end of the image`);
  }
}

function alignment(value: number): number {
  if (value === 0 || value > 1 << 16 || (value & (value - 1)) !== 0)
    throw refused(`its alignment is ${value}`);
  return value;
}

function need(start: Buffer, at: number, size: number, what: string): void {
  if (at + size > start.length) throw refused(`${what} is cut off`);
}

function refused(why: string): EfiError {
  return new EfiError('ERR_EFI_PE', `not a PE file for UEFI: ${why}`);
}

/** Names of a hostile file go into messages. */
function printable(name: string): string {
  return JSON.stringify(name);
}

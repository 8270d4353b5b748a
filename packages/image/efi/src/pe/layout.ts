/** Places in a PE32+ file (Microsoft PE format; UEFI 2.10, 2.1.1). Offsets are relative to what their name says. */
export const dos = { magic: 0x5a4d, newHeader: 0x3c, size: 64 } as const;

/** The COFF header stands behind the four bytes of the signature; offsets count from the signature. */
export const coff = {
  signature: 0x4550,
  machine: 4,
  sectionCount: 6,
  optionalHeaderSize: 20,
  optionalHeader: 24,
} as const;

/** Of the optional header. */
export const optional = {
  magic: 0x20b,
  sizeOfInitializedData: 8,
  sectionAlignment: 32,
  fileAlignment: 36,
  sizeOfImage: 56,
  sizeOfHeaders: 60,
  checksum: 64,
  dllCharacteristics: 70,
  directoryCount: 108,
  directories: 112,
  /** Entry of the certificate table: an offset in the file and a size. */
  security: 144,
} as const;

/** Of a section header. */
export const header = {
  size: 40,
  nameSize: 8,
  virtualSize: 8,
  virtualAddress: 12,
  rawSize: 16,
  rawOffset: 20,
  characteristics: 36,
} as const;

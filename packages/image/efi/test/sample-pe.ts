/** A small PE32+ file, made here field by field: two sections, room for more headers. */
export function samplePe(options: { readonly odd?: boolean } = {}): Buffer {
  const file = Buffer.alloc(0x400 + 0x200 + 0x400);
  file.write('MZ', 0);
  file.writeUInt32LE(0x40, 0x3c);
  file.write('PE\0\0', 0x40);
  file.writeUInt16LE(0x8664, 0x44);
  file.writeUInt16LE(2, 0x46);
  file.writeUInt16LE(240, 0x54);
  const optional = 0x58;
  file.writeUInt16LE(0x20b, optional);
  file.writeUInt32LE(0x1000, optional + 32);
  file.writeUInt32LE(0x200, optional + 36);
  file.writeUInt32LE(0x3000, optional + 56);
  file.writeUInt32LE(0x400, optional + 60);
  file.writeUInt32LE(0xdead_beef, optional + 64); // a checksum that is wrong
  file.writeUInt16LE(0x160, optional + 70);
  file.writeUInt32LE(16, optional + 108);
  section(file, 0, ['.text', 0x1f0, 0x1000, 0x200, 0x400]);
  section(file, 1, ['.data', 0x400, 0x2000, 0x400, 0x600]);
  for (let at = 0x400; at < file.length; at++) file[at] = (at * 7) & 0xff;
  return options.odd === true ? Buffer.concat([file, Buffer.from('odd')]) : file;
}

/** Where the header of section `n` is. */
export function sectionAt(n: number): number {
  return 0x58 + 240 + n * 40;
}

function section(file: Buffer, n: number, fields: readonly [string, number, number, number, number]): void {
  const [name, virtualSize, address, size, offset] = fields;
  const at = sectionAt(n);
  file.write(name, at);
  for (const [index, value] of [virtualSize, address, size, offset].entries())
    file.writeUInt32LE(value, at + 8 + index * 4);
  file.writeUInt32LE(0x4000_0040, at + 36);
}

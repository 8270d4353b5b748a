import { View } from '@nodecore/view';

/** A small PE32+ file with sections of these names and contents, like a stub or a kernel; room for more headers. */
export function samplePe(sections: Readonly<Record<string, Buffer>>, flags = 0x160): Buffer {
  const headers = Buffer.alloc(0x600);
  const optional = 0x58;
  headers.write('MZ', 0);
  headers.writeUInt32LE(0x40, 0x3c);
  headers.write('PE\0\0', 0x40);
  headers.writeUInt16LE(0x8664, 0x44);
  headers.writeUInt16LE(Object.keys(sections).length, 0x46);
  headers.writeUInt16LE(240, 0x54);
  headers.writeUInt16LE(0x20b, optional);
  headers.writeUInt32LE(0x1000, optional + 32);
  headers.writeUInt32LE(0x200, optional + 36);
  headers.writeUInt32LE(0x1000 * 99, optional + 56);
  headers.writeUInt32LE(headers.length, optional + 60);
  headers.writeUInt16LE(flags, optional + 70);
  headers.writeUInt32LE(16, optional + 108);
  let file = headers;
  for (const [n, [name, content]] of Object.entries(sections).entries()) {
    const at = optional + 240 + n * 40;
    const size = Math.ceil(content.length / 0x200) * 0x200;
    file.write(name, at);
    for (const [field, value] of [content.length, 0x1000 * (n + 1), size, file.length].entries()) {
      file.writeUInt32LE(value, at + 8 + field * 4);
    }
    file = Buffer.concat([file, content, Buffer.alloc(size - content.length)]);
  }
  return file;
}

/** A stub with the section that it brings along. */
export const stub: View = View.of(
  samplePe({ '.text': Buffer.alloc(700, 0x90), '.sbat': Buffer.from('sbat,1\nexample,1\n') }),
);

/** A kernel that no firmware starts, and what goes with it. */
export const sections = {
  osrel: 'ID=nodeos\nIMAGE_ID=nodeos\nIMAGE_VERSION=1.14.0~alpha.0\n',
  cmdline: 'console=ttyS0 os.platform=metal',
  uname: '6.1.0-56-amd64',
  linux: View.of(samplePe({ '.text': Buffer.alloc(5000, 1) }, 0x60)),
  initrd: View.of(Buffer.alloc(7001, 2)),
};

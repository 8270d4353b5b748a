import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { output, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import { View } from '@nodecore/view';
import test from 'ava';

import { appendSections, authenticodeDigest, readPe } from '../src/index.ts';
import { PeChecksum } from '../src/pe/checksum.ts';
import { samplePe, sectionAt } from './sample-pe.ts';

const optional = 0x58;

test('the headers of a PE file are read, and its end is where its certificate table begins', async (t) => {
  const pe = await readPe(View.of(samplePe()));
  t.deepEqual(
    pe.sections.map(({ name, offset, size, virtualAddress, virtualSize }) => [
      name,
      offset,
      size,
      virtualAddress,
      virtualSize,
    ]),
    [
      ['.text', 0x400, 0x200, 0x1000, 0x1f0],
      ['.data', 0x600, 0x400, 0x2000, 0x400],
    ],
  );
  t.is(pe.machine, 0x8664);
  t.is(pe.end, samplePe().length);
  t.is(pe.certificateBytes, 0);
});

type Change = (file: Buffer) => Buffer | void;

function refuses(title: string, change: Change, message: RegExp): void {
  test(`a PE file is refused: ${title}`, async (t) => {
    const file = samplePe();
    const changed = change(file) ?? file;
    await t.throwsAsync(readPe(View.of(changed)), { code: 'ERR_EFI_PE', message });
  });
}

refuses('it is empty', () => Buffer.alloc(0), /DOS header is cut off/);
refuses('it does not begin as one', (file) => void file.write('ZM', 0), /MZ/);
refuses('its header lies 4 GiB away', (file) => void file.writeUInt32LE(0xffff_fff0, 0x3c), /cut off/);
refuses('it has no signature', (file) => void file.write('NE', 0x40), /PE signature/);
refuses('it is PE32', (file) => void file.writeUInt16LE(0x10b, optional), /not PE32\+/);
refuses('it has 65535 sections', (file) => void file.writeUInt16LE(65_535, 0x46), /65535 sections/);
refuses('it has no section', (file) => void file.writeUInt16LE(0, 0x46), /0 sections/);
refuses(
  'it has 2^32 directories',
  (file) => void file.writeUInt32LE(0xffff_ffff, optional + 108),
  /directories/,
);
refuses('its optional header is cut short', (file) => void file.writeUInt16LE(120, 0x54), /too short/);
refuses(
  'its headers are 4 GiB',
  (file) => void file.writeUInt32LE(0xffff_ffff, optional + 60),
  /headers can't be/,
);
refuses(
  'its headers end in the section table',
  (file) => void file.writeUInt32LE(0x150, optional + 60),
  /headers/,
);
refuses(
  'its alignment is no power of two',
  (file) => void file.writeUInt32LE(0x300, optional + 36),
  /alignment/,
);
refuses('its alignment is zero', (file) => void file.writeUInt32LE(0, optional + 32), /alignment/);
refuses(
  'a section has 4 GiB',
  (file) => void file.writeUInt32LE(0xffff_ffff, sectionAt(1) + 16),
  /".data" reaches behind the end of the file/,
);
refuses(
  'a section lies outside of the file',
  (file) => void file.writeUInt32LE(0xffff_ff00, sectionAt(1) + 20),
  /".data" reaches behind the end of the file/,
);
refuses(
  'sections overlap',
  (file) => void file.writeUInt32LE(0x500, sectionAt(1) + 20),
  /overlaps .* in the file/,
);
refuses(
  'a section lies in the headers',
  (file) => void file.writeUInt32LE(0x10, sectionAt(0) + 20),
  /overlaps/,
);
refuses(
  'sections overlap in memory',
  (file) => void file.writeUInt32LE(0x1001, sectionAt(1) + 12),
  /".data" overlaps another in memory/,
);
refuses(
  'a section reaches behind the image',
  (file) => void file.writeUInt32LE(0xffff_f000, sectionAt(1) + 8),
  /behind the end of the image/,
);
refuses(
  'bytes are behind its certificate table',
  (file) => {
    file.writeUInt32LE(0x600, optional + 144);
    file.writeUInt32LE(0x100, optional + 148);
  },
  /certificate table can't be 256 bytes/,
);
refuses(
  'its certificate table is all of it',
  (file) => {
    file.writeUInt32LE(0x8, optional + 144);
    file.writeUInt32LE(file.length - 8, optional + 148);
  },
  /certificate table lies in its headers/,
);

test('bytes between sections are not hashed one way here and another way elsewhere: they are refused', async (t) => {
  const file = Buffer.concat([samplePe(), Buffer.alloc(0x200)]);
  file.writeUInt32LE(0x800, sectionAt(1) + 20);
  const pe = await readPe(View.of(file));
  await t.throwsAsync(authenticodeDigest(pe), { code: 'ERR_EFI_PE', message: /belong to no section/ });
});

test('the checksum is that of its definition, in pieces of any size', (t) => {
  const bytes = Buffer.from(Array.from({ length: 5001 }, (_, n) => (n * 31) ^ (n >> 3)));
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 2) {
    sum += (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
    sum = (sum & 0xffff) + (sum >>> 16);
  }
  for (const step of [1, 2, 3, 5, 8, 1000, 4999, 5001]) {
    const checksum = new PeChecksum();
    for (let at = 0; at < bytes.length; at += step) checksum.update(bytes.subarray(at, at + step));
    t.is(checksum.digest(), sum + bytes.length, `pieces of ${step}`);
  }
});

test('sections are put behind the others, aligned in the file and in memory', async (t) => {
  const contents = [Buffer.from('ID=example\n'), Buffer.alloc(0x1801, 3), Buffer.from('x')];
  const added = contents.map((content, n) => ({ name: `.s${n}`, content: View.of(content), code: n === 1 }));
  const view = appendSections(await readPe(View.of(samplePe())), added, 0x100);
  const pe = await readPe(view);
  t.deepEqual(
    pe.sections
      .slice(2)
      .map(({ name, offset, virtualAddress, virtualSize }) => [name, offset, virtualAddress, virtualSize]),
    [
      ['.s0', 0xa00, 0x3000, 11],
      ['.s1', 0xc00, 0x4000, 0x1801],
      ['.s2', 0x2600, 0x6000, 1],
    ],
  );
  t.is(pe.sizeOfImage, 0x7000);
  t.is(pe.headers.readUInt16LE(optional + 70), 0x60);
  for (const [n, section] of pe.sections.slice(2).entries()) {
    t.deepEqual(await view.slice(section.offset, section.offset + section.virtualSize).bytes(), contents[n]);
  }
  t.is(view.size % 0x200, 0);
});

test('sections that have no place are refused', async (t) => {
  const pe = await readPe(View.of(samplePe()));
  const content = View.of(Buffer.from('x'));
  const many = Array.from({ length: 20 }, (_, n) => ({ name: `.s${n}`, content }));
  const cases: readonly (readonly [readonly { name: string; content: View }[], RegExp])[] = [
    [many, /no room for section/],
    [[{ name: '.text', content }], /has a section .text already/],
    [[{ name: '.far-too-long', content }], /no name of a section/],
    [[{ name: '.empty', content: View.of() }], /is empty/],
    [[{ name: '.huge', content: View.of({ kind: 'hole', size: 0xffff_f000 }) }], /4 GiB/],
  ];
  for (const [sections, message] of cases) {
    t.throws(() => appendSections(pe, sections), { code: 'ERR_EFI_PE', message });
  }
  const odd = await readPe(View.of(samplePe({ odd: true })));
  t.throws(() => appendSections(odd, [{ name: '.x', content }]), {
    code: 'ERR_EFI_PE',
    message: /belong to nothing/,
  });
});

testWith(program('objdump'))('objdump reads the sections that were added as they are', async (t) => {
  const file = join(await temporaryDirectory(t), 'image.efi');
  const sections = [{ name: '.osrel', content: View.of(Buffer.alloc(0x345, 1)) }];
  await writeFile(file, await appendSections(await readPe(View.of(samplePe())), sections).bytes());
  const text = await output(['objdump', '-h', file]);
  t.regex(text, /\.osrel +0*345 +0*3000 +0*3000 +0*a00 /);
});

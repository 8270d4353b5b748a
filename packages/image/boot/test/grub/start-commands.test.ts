import { View } from '@nodecore/view';
import test from 'ava';

import { formatEnvironment, parseEnvironment } from '../../src/grub/environment.ts';
import { startCommands } from '../../src/grub/start-commands.ts';
import { exampleView, readExample } from './example-image.ts';

const entry = { imageVersion: '1.14.0', sequence: 1 };

function commandsOf(line: string): Promise<string> {
  return startCommands(exampleView('x', line), { slot: 'a', entry, readSections: readExample });
}

test('kernel and archive are ranges of the image, and the kernel is told which entry it is of', async (t) => {
  t.is(
    await commandsOf('console=ttyS0 a;b $c #d name="a b"'),
    [
      'loopback uki_a /nodeos/a.efi',
      `linux (uki_a)2+1 'console=ttyS0' 'a;b' '$c' '#d' 'name=a b' 'os.boot.entry=nodeos-1.14.0-1.efi' "os.boot.partition=$boot_partition"`,
      'if initrd (uki_a)3+1; then set ready_a=yes; fi',
      '',
    ].join('\n'),
  );
});

for (const word of [`a'b`, `a\\b`, `"a`, `x="it's"`, 'a\nb', 'a\tb"', 'ä=1'])
  test(`${JSON.stringify(word)} is refused: GRUB would hand over something else`, async (t) => {
    const error = await t.throwsAsync(commandsOf(`console=ttyS0 ${word}`));
    t.regex(error.message, /GRUB can't hand over the kernel argument|has a lone quote/u);
  });

test('a line that is too long with what is added to it is refused', async (t) => {
  t.regex(await commandsOf('a'.repeat(500)), /linux/u);
  const image = exampleView('x', 'a'.repeat(500));
  const long = View.of(image.slice(0, 512), Buffer.alloc(1990, 'a'), Buffer.alloc(58), image.slice(1024));
  const sections = (await readExample(long)).sections.map((section) =>
    section.name === '.cmdline' ? { ...section, size: 2048, virtualSize: 1990 } : section,
  );
  const error = await t.throwsAsync(
    startCommands(long, { slot: 'a', entry, readSections: async () => ({ sections }) }),
    { code: 'ERR_BOOT_KERNEL' },
  );
  t.regex(error.message, /the kernel cuts it off/u);
});

test('an image whose kernel begins inside a sector is refused', async (t) => {
  const image = exampleView('x');
  const sections = (await readExample(image)).sections.map((section) =>
    section.name === '.linux' ? { ...section, offset: section.offset + 1 } : section,
  );
  const error = await t.throwsAsync(
    startCommands(image, { slot: 'a', entry, readSections: async () => ({ sections }) }),
    { code: 'ERR_BOOT_KERNEL' },
  );
  t.regex(error.message, /begins inside a sector/u);
});

test('an environment is one block, with everything in its first sector', (t) => {
  const block = formatEnvironment(new Map([['first', 'a']]));
  t.is(block.length, 1024);
  t.is(block.subarray(512).toString(), '#'.repeat(512));
  t.deepEqual(parseEnvironment(block), new Map([['first', 'a']]));
  t.is(parseEnvironment(Buffer.alloc(1024)), undefined);
  t.is(parseEnvironment(block.subarray(0, 512)), undefined);
  t.throws(() => formatEnvironment(new Map([['first', 'x'.repeat(500)]])), { code: 'ERR_BOOT_ENVIRONMENT' });
  t.throws(() => formatEnvironment(new Map([['first', 'a\nb=1']])), { code: 'ERR_BOOT_ENVIRONMENT' });
});

import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { output, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test from 'ava';

import {
  formatModuleList,
  type ModuleList,
  moduleLists,
  type ModuleTexts,
  parseModuleList,
  readModuleList,
} from '../../src/index.ts';

const kernels = join(import.meta.dirname, '../../../../../.cache/kernels');
const run = promisify(execFile);

/** Some of the modules of Debian's kernel that images have, and some that they do not. */
const base = ['ext4', 'dm-crypt', 'e1000', 'e1000e', 'usb-storage', 'uas', 'xhci-pci'];
const more = ['btrfs', 'wireguard', 'raid1', 'dummy', 'uhci-hcd', 'ehci-pci'];

async function textsIn(directory: string): Promise<ModuleTexts> {
  const names = ['dep', 'order', 'alias', 'symbols', 'softdep', 'devname'] as const;
  const read = await Promise.all(names.map((name) => readFile(join(directory, `modules.${name}`), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [`modules.${name}`, read[index]])) as ModuleTexts;
}

const lines = (each: Buffer): readonly string[] => each.toString().split('\n').toSorted();

testWith(program('depmod'), program('modprobe'))(
  'lists of several layers are what depmod writes for a root that has all of their modules, byte for byte',
  async (t) => {
    const kernel =
      (await readdir(kernels))
        .filter((name) => /^\d/.test(name))
        .sort()
        .at(-1) ?? '';
    const from = join(kernels, kernel, 'lib/modules', kernel);
    const directory = await temporaryDirectory(t);
    const closure = async (names: readonly string[]): Promise<string[]> => {
      const words = [
        '--dirname',
        join(kernels, kernel),
        '--set-version',
        kernel,
        '--show-depends',
        '--all',
        ...names,
      ];
      const { stdout } = await run('modprobe', words);
      return [...stdout.matchAll(/^insmod \S+\/lib\/modules\/[^/]+\/(?<file>\S+)/gmu)].map(
        ({ groups }) => groups?.['file'] ?? '',
      );
    };
    const made = async (name: string, files: readonly string[]): Promise<string> => {
      const place = join(directory, name, 'lib/modules', kernel);
      for (const file of [...files, 'modules.order', 'modules.builtin', 'modules.builtin.modinfo']) {
        await mkdir(dirname(join(place, file)), { recursive: true });
        await copyFile(join(from, file), join(place, file));
      }
      await output(['depmod', '--basedir', join(directory, name), kernel]);
      return place;
    };
    const below = await closure(base);
    const above = (await closure(more)).filter((file) => !below.includes(file));
    const whole = await made('whole', [...below, ...above]);
    const first = readModuleList(kernel, await textsIn(await made('base', below)));
    // As a build sees them: beside those of the base.
    const layers = [above.slice(0, 3), above.slice(3)].map((files): Promise<ModuleList> =>
      textsIn(whole).then((texts) => readModuleList(kernel, texts, (file) => files.includes(file))),
    );
    const lists = [first, ...(await Promise.all(layers))].map((list) =>
      parseModuleList(formatModuleList(list), 'list'),
    );
    const written = moduleLists(lists);
    for (const [name, bytes] of written) {
      const expected = await readFile(join(whole, name));
      // depmod writes symbols in the order of its hash table; programs read the index.
      if (name === 'modules.symbols') t.deepEqual(lines(bytes), lines(expected));
      else t.true(bytes.equals(expected), name);
    }
    // A program that reads them finds a module of a layer by its name and by a device, with what it needs.
    const own = await made('own', [...below, ...above]);
    for (const [name, bytes] of written) await writeFile(join(own, name), bytes);
    const words = ['--dirname', join(directory, 'own'), '--set-version', kernel, '--show-depends'];
    t.regex((await run('modprobe', [...words, 'btrfs'])).stdout, /raid6_pq\.ko[\s\S]*btrfs\.ko/u);
    t.regex((await run('modprobe', [...words, 'rtnl-link-dummy'])).stdout, /dummy\.ko/u);
  },
);

const one = (kernel: string, file: string): ModuleList => ({
  kernel,
  modules: [{ file, rank: null, needs: [], aliases: [], symbols: [], softDependencies: [], devices: [] }],
});

test('lists of two kernels are not put together, and the error names both', (t) => {
  const lists = [one('6.1.0-56-amd64', 'a.ko'), one('6.12.0-1-amd64', 'b.ko')];
  t.throws(() => moduleLists(lists), {
    code: 'ERR_IMAGE_KERNEL',
    message: /modules of 6\.12\.0-1-amd64; the kernel is 6\.1\.0-56-amd64/u,
  });
});

test('two modules of one name would hide each other', (t) => {
  const lists = [one('6.1.0', 'kernel/dm-crypt.ko'), one('6.1.0', 'extra/dm_crypt.ko.xz')];
  t.throws(() => moduleLists(lists), { code: 'ERR_IMAGE_MODULES', message: /dm_crypt/u });
});

test('a text that is no list is refused', (t) => {
  for (const text of [
    '',
    '{}',
    'null',
    '[]',
    '{"kernel":"6","modules":[{"file":1}]}',
    '{"kernel":"6","modules":[null]}',
  ])
    t.throws(
      () => parseModuleList(text, 'modules.json'),
      { code: 'ERR_IMAGE_MODULES', message: /^modules\.json: /u },
      text,
    );
});

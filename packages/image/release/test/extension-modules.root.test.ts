import { copyFile, mkdir, readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { moduleLists, nameOfModule, parseModuleList } from '@nodecore/image';
import { output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { takeExtensions } from '../src/extensions/take.ts';
import { type Kernel, moduleFiles, releaseKernel } from '../src/modules.ts';

const tools = [
  root,
  program('mksquashfs'),
  program('unsquashfs'),
  program('depmod'),
  program('modinfo'),
] as const;
const place = 'usr/lib/modules';

/** Debian's kernel with its module for ext4 as the base, and an extension `os/more` with the modules of these names. */
async function building(t: ExecutionContext, names: readonly string[]) {
  const directory = await temporaryDirectory(t);
  const at = (...parts: readonly string[]): string => join(directory, ...parts);
  const kernel = await releaseKernel();
  const put = async (tree: string, files: readonly string[], as = kernel.version): Promise<void> => {
    for (const file of files) {
      await mkdir(dirname(at(tree, place, as, file)), { recursive: true });
      await copyFile(join(kernel.modules, file), at(tree, place, as, file));
    }
  };
  const base = await moduleFiles(kernel, ['ext4']);
  await put('root', [...base, 'modules.order', 'modules.builtin', 'modules.builtin.modinfo']);
  await symlink('usr/lib', at('root/lib'));
  await output(['depmod', '--basedir', at('root'), kernel.version]);
  await mkdir(at('release/amd64'), { recursive: true });
  const extension = async (name: string): Promise<string> => {
    const metadata = `{name: ${name}, version: v2, author: us, description: more}`;
    await mkdir(at('extensions/os', name, 'rootfs'), { recursive: true });
    await writeFile(at('extensions/os', name, 'manifest.yaml'), `version: v1alpha1\nmetadata: ${metadata}\n`);
    return `extensions/os/${name}/rootfs`;
  };
  const own = (await moduleFiles(kernel, names)).filter((file) => !base.includes(file));
  const tree = await extension('more');
  await put(tree, own);
  const take = () =>
    takeExtensions([at('extensions')], { version: 'v1.14.0', root: at('root'), place: at('release/amd64') });
  return { at, kernel, base, own, tree, put, extension, take };
}

testWith(...tools)(
  'the modules of an extension are listed with what they need, for images to be made of',
  async (t) => {
    const { at, kernel, base, own, take } = await building(t, ['btrfs']);
    t.true(own.length > 3);
    const { lists } = await take();
    t.deepEqual(lists, ['extensions/os/more.modules.json', 'modules.json']);
    const read = async (file: string) =>
      parseModuleList(await readFile(at('release/amd64', file), 'utf8'), file);
    const [more, under] = await Promise.all(lists.map(read));
    t.deepEqual(more?.modules.map(({ file }) => file).toSorted(), own.toSorted());
    t.deepEqual(under?.modules.map(({ file }) => file).toSorted(), base.toSorted());
    const btrfs = more?.modules.find(({ file }) => nameOfModule(file) === 'btrfs');
    t.true(btrfs?.aliases.includes('fs-btrfs'));
    const [needed] = base.filter(
      (file) => nameOfModule(file) === 'libcrc32c' || nameOfModule(file) === 'crc32c_generic',
    );
    t.true([...(btrfs?.needs ?? []), ...(btrfs?.softDependencies ?? [])].length > 0, needed);
    t.regex(
      moduleLists([under!, more!]).get('modules.dep')?.toString() ?? '',
      /^kernel\/fs\/btrfs\/btrfs\.ko: /mu,
    );
    t.deepEqual(await readdir(at('release')), ['amd64'], 'nothing is left of the work');
    t.deepEqual(under?.kernel, kernel.version);
  },
);

type Made = Awaited<ReturnType<typeof building>>;

/** What is wrong, how the error says it, and how it comes about. */
const refused: readonly (readonly [
  string,
  string,
  (kernel: string) => RegExp,
  (made: Made) => Promise<unknown>,
])[] = [
  [
    'a directory of another kernel',
    'ERR_BUILD_KERNEL',
    (kernel) =>
      new RegExp(
        `^extension os/more has modules of the kernel 6\\.12\\.0-1-amd64, and the image has ${kernel}$`,
        'u',
      ),
    ({ put, tree, own }) => put(tree, own, '6.12.0-1-amd64'),
  ],
  [
    'a module of another kernel in the directory of this one',
    'ERR_BUILD_KERNEL',
    (kernel) =>
      new RegExp(
        `dummy\\.ko has modules of the kernel 9\\.1\\.0-56-amd64, and the image has ${kernel}$`,
        'u',
      ),
    async ({ at, tree, kernel, own: [file = ''] }) => {
      const path = at(tree, place, kernel.version, file);
      const text = (await readFile(path)).toString('latin1');
      await writeFile(
        path,
        Buffer.from(text.replace(`vermagic=${kernel.version}`, 'vermagic=9.1.0-56-amd64'), 'latin1'),
      );
    },
  ],
  [
    'a module that nobody has signed',
    'ERR_BUILD_CONTENT',
    () => /dummy\.ko is not signed: the kernel takes signed modules only/u,
    async ({ at, tree, kernel, own: [file = ''] }) => {
      const path = at(tree, place, kernel.version, file);
      await truncate(path, (await readFile(path)).length - '~Module signature appended~\n'.length);
    },
  ],
  [
    'a module of the base, in another place',
    'ERR_BUILD_CONTENT',
    (kernel) =>
      new RegExp(`/usr/lib/modules/${kernel}/updates/ext4\\.ko is a module that is there already`, 'u'),
    async ({ at, tree, kernel, base }) => {
      const from = join(kernel.modules, base.find((file) => nameOfModule(file) === 'ext4') ?? '');
      await mkdir(at(tree, place, kernel.version, 'updates'), { recursive: true });
      await copyFile(from, at(tree, place, kernel.version, 'updates/ext4.ko'));
    },
  ],
  [
    'a module without what it needs',
    'ERR_BUILD_CONTENT',
    () => /raid1\.ko needs md_mod, which neither the base nor the extension has/u,
    async ({ put, tree, kernel }) =>
      put(
        tree,
        (await moduleFiles(kernel, ['raid1'])).filter((file) => nameOfModule(file) === 'raid1'),
      ),
  ],
  [
    'lists of modules of its own',
    'ERR_BUILD_CONTENT',
    () => /modules\.weakdep is no module; lists of modules are made with the image/u,
    ({ at, tree, kernel }) => writeFile(at(tree, place, kernel.version, 'modules.weakdep'), ''),
  ],
  [
    'a link to modules',
    'ERR_BUILD_CONTENT',
    () => /build is no module/u,
    ({ at, tree, kernel }) => symlink('/usr/local', at(tree, place, kernel.version, 'build')),
  ],
  [
    'a text that is called a module',
    'ERR_BUILD_PROGRAM',
    () => /modinfo/u,
    ({ at, tree, kernel }) => writeFile(at(tree, place, kernel.version, 'no.ko'), 'no module'),
  ],
  [
    'a module that another extension has, in another place',
    'ERR_BUILD_CONTENT',
    () => /extension os\/next .*extra\/dummy\.ko is a module that is there already/u,
    async ({ at, kernel, own: [file = ''], extension }) => {
      const path = at(await extension('next'), place, kernel.version, 'extra/dummy.ko');
      await mkdir(dirname(path), { recursive: true });
      await copyFile(join(kernel.modules, file), path);
    },
  ],
];

for (const [what, code, message, spoil] of refused)
  testWith(...tools)(`an extension with ${what} is not taken`, async (t) => {
    const made = await building(t, ['dummy']);
    await spoil(made);
    const { version }: Kernel = made.kernel;
    await t.throwsAsync(made.take(), { code, message: message(version.replaceAll('.', '\\.')) });
  });

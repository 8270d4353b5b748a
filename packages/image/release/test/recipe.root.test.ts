import { chmod, copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { readDpkgStatus } from '@nodecore/sbom';
import { output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { loadedLibraries } from '../src/contents.ts';
import { filesOfDirectory as filesOf, filesOfSquashfs } from '../src/extensions/layer-files.ts';
import { makeOfRecipe, type Recipe } from '../src/extensions/recipe.ts';
import { recipes } from '../src/extensions/recipes.ts';
import { takeExtensions } from '../src/extensions/take.ts';
import { librariesOf } from '../src/libraries.ts';
import { moduleFiles, releaseKernel } from '../src/modules.ts';
import { cacheDirectory } from '../src/paths.ts';

const tools = [
  root,
  program('mksquashfs'),
  program('unsquashfs'),
  program('depmod'),
  program('patchelf'),
] as const;
const version = 'v1.14.0';
const packages = join(cacheDirectory, 'extension-packages');
const libraries = 'usr/lib/x86_64-linux-gnu';

/** A root with a kernel's modules for ext4 and xfs, and the libraries that programs of the base need. */
async function building(t: ExecutionContext) {
  const directory = await temporaryDirectory(t);
  const at = (...parts: readonly string[]): string => join(directory, ...parts);
  const kernel = await releaseKernel();
  const put = async (from: string, to: string): Promise<void> => {
    await mkdir(dirname(at(to)), { recursive: true });
    await copyFile(from, at(to));
  };
  const place = `root/usr/lib/modules/${kernel.version}`;
  for (const file of [
    ...(await moduleFiles(kernel, ['ext4', 'xfs'])),
    'modules.order',
    'modules.builtin',
    'modules.builtin.modinfo',
  ])
    await put(join(kernel.modules, file), join(place, file));
  await symlink('usr/lib', at('root/lib'));
  await symlink('usr/lib64', at('root/lib64'));
  await output(['depmod', '--basedir', at('root'), kernel.version]);
  // As the release has them; dhcpcd brings the last two.
  const roots = ['/usr/bin/kmod', '/usr/sbin/mke2fs', process.execPath];
  const loaded = [...loadedLibraries, 'libsystemd.so.0', 'libselinux.so.1'];
  for (const [soname, file] of await librariesOf(roots, loaded))
    await put(file, join('root', soname.startsWith('ld-linux') ? 'usr/lib64' : libraries, soname));
  await mkdir(at('release'));
  const make = (name: string, recipe: Recipe, from = packages) =>
    makeOfRecipe(name, recipe, { version, kernel, root: at('root'), into: at('made'), packages: from });
  const take = () => takeExtensions([at('made')], { version, root: at('root'), place: at('release') });
  return { at, kernel, make, take };
}

testWith(...tools)(
  'what the recipes name becomes extensions, whose programs start over the root, and of whose packages each says which',
  async (t) => {
    const { at, kernel, make, take } = await building(t);
    for (const [name, recipe] of Object.entries(recipes)) await make(name, recipe);
    const { extensions, lists } = await take();
    t.deepEqual(Object.keys(extensions), ['os/btrfs', 'os/drbd', 'os/tools']);
    t.is(extensions['os/drbd']?.version, version);
    t.deepEqual(lists, [
      'extensions/os/btrfs.modules.json',
      'extensions/os/drbd.modules.json',
      'modules.json',
    ]);
    const files = await filesOfSquashfs(at('release/extensions/os/drbd.sqsh'));
    const modules = `/usr/lib/modules/${kernel.version}/kernel`;
    t.deepEqual(
      files.filter(({ kind }) => kind === 'file').map(({ path }) => path),
      [
        `${modules}/drivers/block/drbd/drbd.ko`,
        `${modules}/lib/lru_cache.ko`,
        ...['drbdadm', 'drbdadm-84', 'drbdmeta', 'drbdsetup', 'drbdsetup-84'].map(
          (name) => `/usr/local/sbin/${name}`,
        ),
      ],
      'nothing else of the packages, and no module that the base has',
    );
    const status = readDpkgStatus(await readFile(at('made/os/drbd/dpkg-status'), 'utf8'));
    t.deepEqual(
      status.map(({ name, source }) => [name, source.name]),
      [
        ['drbd-utils', 'drbd-utils'],
        [`linux-image-${kernel.version}`, 'linux'],
      ],
    );
    for (const name of Object.keys(recipes))
      await output(['unsquashfs', '-force', '-d', at('root'), at('release/extensions', `${name}.sqsh`)]);
    const start = (...words: readonly string[]): Promise<string> => output(['chroot', at('root'), ...words]);
    t.regex(await start('/usr/local/sbin/mkfs.btrfs', '--version'), /btrfs-progs v\d/);
    t.regex(await start('/usr/local/bin/btrfs', '--version'), /btrfs-progs v\d/);
    t.regex(await start('/usr/local/sbin/drbdadm', '--version'), /DRBDADM_VERSION=9/);
    for (const [name, option] of [
      ['sbin/conntrack', '--version'],
      ['sbin/dmidecode', '--version'],
      ['sbin/ethtool', '--version'],
      ['bin/iperf3', '--version'],
      ['sbin/nvme', 'version'],
      ['sbin/smartctl', '--version'],
    ] as const)
      t.regex(await start(`/usr/local/${name}`, option), /\d+\.\d+/, name);
  },
);

const plain: Recipe = {
  description: 'a program',
  packages: ['lsscsi'],
  programs: ['/usr/bin/lsscsi'],
  libraries: [],
  modules: [],
};

/** What is wrong, how the error says it, and the recipe. */
const refused: readonly (readonly [string, string, RegExp, Recipe])[] = [
  [
    'a program that its packages do not have',
    'ERR_BUILD_MISSING',
    /lsscsi have no \/usr\/bin\/missing/u,
    { ...plain, programs: ['/usr/bin/missing'] },
  ],
  [
    'a program of a package that it does not name',
    'ERR_BUILD_MISSING',
    /lsscsi have no \/usr\/sbin\/ethtool/u,
    { ...plain, programs: ['/usr/sbin/ethtool'] },
  ],
  [
    'a library that it does not name',
    'ERR_BUILD_CONTENT',
    /needs libmnl\.so\.0 for \/usr\/local\/sbin\/ethtool/u,
    { ...plain, packages: ['ethtool', 'libmnl0'], programs: ['/usr/sbin/ethtool'] },
  ],
  [
    'a library that nobody needs',
    'ERR_BUILD_CONTENT',
    /none of its programs needs: libmnl\.so\.0/u,
    { ...plain, packages: ['lsscsi', 'libmnl0'], libraries: ['libmnl.so.0'] },
  ],
  [
    'a script',
    'ERR_BUILD_CONTENT',
    /fsck\.btrfs is a script/u,
    { ...plain, packages: ['btrfs-progs'], programs: ['/usr/sbin/fsck.btrfs'] },
  ],
  [
    'a module that the kernel does not have',
    'ERR_BUILD_MISSING',
    /has no module zfs/u,
    { ...plain, modules: ['zfs'] },
  ],
  [
    'a package that is not unpacked',
    'ERR_BUILD_MISSING',
    /bash is not unpacked/u,
    { ...plain, packages: ['lsscsi', 'bash'] },
  ],
];

for (const [what, code, message, recipe] of refused)
  testWith(...tools)(`a recipe with ${what} makes no extension`, async (t) => {
    const { make } = await building(t);
    await t.throwsAsync(make('os/one', recipe), { code, message });
  });

testWith(...tools)(
  'a set-user-ID program of a package, and a link of it to this machine, are not taken',
  async (t) => {
    const { at, make } = await building(t);
    await mkdir(at('packages/lsscsi/usr/bin'), { recursive: true });
    await writeFile(at('packages/packages'), 'Package: lsscsi\nVersion: 1\nArchitecture: amd64\n');
    const program = at('packages/lsscsi/usr/bin/lsscsi');
    await copyFile(join(packages, 'lsscsi/usr/bin/lsscsi'), program);
    await chmod(program, 0o4755);
    await make('os/one', plain, at('packages'));
    const { mode } = (await filesOf(at('made/os/one/rootfs'))).find(({ path }) => path.endsWith('/lsscsi'))!;
    t.is(mode, 0o755, 'whoever runs it stays who they are');
    await symlink('/usr/bin/env', at('packages/lsscsi/usr/bin/other'));
    const other = { ...plain, programs: ['/usr/bin/other'] };
    await t.throwsAsync(make('os/two', other, at('packages')), {
      code: 'ERR_BUILD_CONTENT',
      message: /a link to outside of the packages/u,
    });
  },
);

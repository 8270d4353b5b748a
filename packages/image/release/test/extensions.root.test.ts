import { chmod, chown, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { filesOfSquashfs } from '../src/extensions/layer-files.ts';
import { takeExtensions } from '../src/extensions/take.ts';

const tools = [root, program('mksquashfs'), program('unsquashfs')] as const;
const version = 'v1.14.0';

async function put(path: string, content = ''): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/** A root with a library, and a place for a release. */
async function building(t: ExecutionContext) {
  const directory = await temporaryDirectory(t);
  const at = (...parts: readonly string[]): string => join(directory, ...parts);
  await put(at('root/usr/lib/firmware/base.bin'), 'of the base');
  await put(at('root/usr/bin/node'));
  await mkdir(at('release'));
  const extension = async (
    name: string,
    files: Readonly<Record<string, string>>,
    more = '',
  ): Promise<void> => {
    const own = name.split('/').at(-1);
    const metadata = `{name: ${own}, version: v2, author: us, description: 'of ${name}'${more}}`;
    await put(at('extensions', name, 'manifest.yaml'), `version: v1alpha1\nmetadata: ${metadata}\n`);
    for (const [path, content] of Object.entries(files))
      await put(at('extensions', name, 'rootfs', path), content);
  };
  const take = () => takeExtensions([at('extensions')], { version, root: at('root'), place: at('release') });
  return { at, extension, take };
}

testWith(...tools)('an extension becomes a squashfs with its files, which belong to root', async (t) => {
  const { at, extension, take } = await building(t);
  await extension('os/tool', { 'usr/local/bin/tool': '#!', 'usr/lib/firmware/mine.bin': 'mine' });
  await chmod(at('extensions/os/tool/rootfs/usr/local/bin/tool'), 0o755);
  await symlink('tool', at('extensions/os/tool/rootfs/usr/local/bin/a -> b'));
  const about = { version: 'v2', author: 'us', description: 'of os/tool', extraInfo: '' };
  t.deepEqual(await take(), { extensions: { 'os/tool': about }, lists: [] });
  const file = at('release/extensions/os/tool.sqsh');
  const files = await filesOfSquashfs(file);
  t.deepEqual(
    files.find(({ path }) => path === '/usr/local/bin/tool'),
    { path: '/usr/local/bin/tool', kind: 'file', mode: 0o755, uid: 0, gid: 0 },
  );
  t.is(files.find(({ path }) => path === '/')?.kind, 'directory');
  await output(['unsquashfs', '-d', at('unpacked'), file]);
  t.is(await readFile(at('unpacked/usr/lib/firmware/mine.bin'), 'utf8'), 'mine');
});

type Extension = Awaited<ReturnType<typeof building>>;

const refused: readonly (readonly [string, RegExp, (made: Extension, rootfs: string) => Promise<unknown>])[] =
  [
    ['a program of the base', /node" is where no extension may/u, (_, at) => put(join(at, 'usr/bin/node'))],
    [
      'a file that the base has',
      /would hide \/usr\/lib\/firmware\/base\.bin/u,
      (_, at) => put(join(at, 'usr/lib/firmware/base.bin')),
    ],
    [
      'a device',
      /null" is no file, directory or link/u,
      (_, at) => output(['mknod', join(at, 'usr/local/null'), 'c', '0', '0']),
    ],
    ['a set-user-ID program', /changes who runs it/u, (_, at) => chmod(join(at, 'usr/local/tool'), 0o4755)],
    [
      'a file of somebody else',
      /belongs to 1000:1000/u,
      (_, at) => chown(join(at, 'usr/local/tool'), 1000, 1000),
    ],
    ['a root that everybody may write', /"\/" may be written by everybody/u, (_, at) => chmod(at, 0o777)],
    [
      'a kernel module, for a root without a kernel',
      /the root has no kernel's/u,
      (_, at) => put(join(at, 'usr/lib/modules/6.1.0/extra/x.ko')),
    ],
    [
      'a manifest for another version',
      /is for >= v1\.15\.0, and not for v1\.14\.0/u,
      ({ extension }) => extension('os/one', {}, ', compatibility: {os: {version: ">= v1.15.0"}}'),
    ],
    [
      'a file that another extension has',
      /extension os\/two .*would hide \/usr\/local\/tool/u,
      ({ extension }) => extension('os/two', { 'usr/local/tool': 'another' }),
    ],
  ];

for (const [what, message, spoil] of refused)
  testWith(...tools)(`an extension with ${what} is not taken`, async (t) => {
    const made = await building(t);
    await made.extension('os/one', { 'usr/local/tool': '' });
    await spoil(made, made.at('extensions/os/one/rootfs'));
    await t.throwsAsync(made.take(), { code: 'ERR_BUILD_CONTENT', message });
  });

testWith(...tools)('what became of the files is looked at again, as it is in the squashfs', async (t) => {
  const directory = await temporaryDirectory(t);
  await put(join(directory, 'tree/usr/local/tool'));
  await chmod(join(directory, 'tree/usr/local/tool'), 0o6711);
  const pseudo = ['-p', '/usr/local/null c 666 0 0 0 0'];
  const file = join(directory, 'file.sqsh');
  await output(['mksquashfs', join(directory, 'tree'), file, ...pseudo, '-quiet', '-no-progress']);
  const files = await filesOfSquashfs(file);
  t.like(
    files.find(({ path }) => path === '/usr/local/tool'),
    { kind: 'file', mode: 0o6711 },
  );
  t.like(
    files.find(({ path }) => path === '/usr/local/null'),
    { kind: 'other', mode: 0o666 },
  );
});

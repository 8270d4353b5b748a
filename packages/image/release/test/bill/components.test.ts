import { readdirSync } from 'node:fs';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';

import { formatPurl, readSpdx, readVex, subjectOf } from '@nodecore/sbom';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { componentsOf } from '../../src/bill/components.ts';
import { writeBills } from '../../src/bill/write.ts';
import {
  dataDirectories,
  dataFiles,
  loadedLibraries,
  programs,
  unpackedPrograms,
} from '../../src/contents.ts';
import { librariesOf } from '../../src/libraries.ts';
import { releaseKernel } from '../../src/modules.ts';
import { cacheDirectory } from '../../src/paths.ts';

const unpacked = unpackedPrograms.map((path) => join(cacheDirectory, path));

/** What the root is made of, but for what is of this checkout. */
async function filesOfRoot(): Promise<readonly string[]> {
  const libraries = await librariesOf([...programs, ...unpacked], loadedLibraries);
  const below = dataDirectories.flatMap((directory) =>
    readdirSync(directory).map((name) => join(directory, name)),
  );
  const debian = [...programs, ...dataFiles, ...below, ...libraries.values()];
  return [execPath, ...unpacked, ...(await Promise.all(debian.map((path) => realpath(path))))];
}

test('every file that the root is made of is of a package, by whose source vulnerabilities are found', async (t) => {
  const kernel = await releaseKernel();
  const found = await componentsOf({ files: await filesOfRoot(), kernel, architecture: 'amd64' });
  const sources = new Map(found.map((component) => [component.name, subjectOf(component)]));
  t.is(sources.get('libc6')?.name, 'glibc');
  t.is(sources.get('libc6')?.suite, 'bookworm');
  t.is(sources.get('libssl3')?.name, 'openssl');
  t.is(found.find(({ name }) => name === 'kmod')?.license, 'LGPL-2.1-or-later');
  t.is(sources.get('xfsprogs')?.name, 'xfsprogs');
  t.is(sources.get('chrony')?.name, 'chrony');
  t.is(sources.get('etcd-server')?.suite, 'trixie');
  t.is(sources.get(`linux-image-${kernel.version}`)?.name, 'linux');
  for (const { name, version } of found) t.regex(version, /^\d/, name);
  const purls = found.map(({ purl }) => formatPurl(purl));
  t.is(new Set(purls).size, purls.length);
  t.true(purls.includes(`pkg:generic/node@${process.versions.node}`));
});

test('a file of no package ends the build, with its name', async (t) => {
  const stray = join(await temporaryDirectory(t), 'stray.so');
  await writeFile(stray, 'x');
  const wish = { kernel: await releaseKernel(), architecture: 'amd64' } as const;
  await t.throwsAsync(componentsOf({ ...wish, files: [stray, '/usr/bin/kmod'] }), {
    code: 'ERR_BUILD_CONTENT',
    message: new RegExp(`of no package of Debian.*: ${stray}$`),
  });
  await t.throwsAsync(componentsOf({ ...wish, files: [join(cacheDirectory, 'stray/program')] }), {
    code: 'ERR_BUILD_CONTENT',
    message: /\.cache\/stray\/program/,
  });
});

test('a release has a document of its base and of each extension, and says of which vulnerabilities it is free', async (t) => {
  const directory = await temporaryDirectory(t);
  const extensions = join(directory, 'extensions');
  await mkdir(join(extensions, 'os/tools'), { recursive: true });
  await writeFile(
    join(extensions, 'os/tools/dpkg-status'),
    'Package: strace\nVersion: 6.1-0.1\nArchitecture: amd64\n\nPackage: libunwind8\nSource: libunwind\nVersion: 1.6.2-3\nArchitecture: amd64\n',
  );
  const about = { version: 'v2', author: '', description: '', extraInfo: '' };
  const written = await writeBills(directory, {
    version: 'v1.14.0',
    created: '2026-11-22T00:00:00Z',
    kernel: await releaseKernel(),
    architecture: 'amd64',
    files: ['/usr/bin/kmod'],
    extensions: [extensions],
    taken: { 'os/tools': about, 'os/plain': about },
  });
  t.deepEqual(written, [
    'sbom/amd64.spdx.json',
    'amd64/extensions/os/tools.spdx.json',
    'amd64/extensions/os/plain.spdx.json',
    'vex.json',
  ]);
  const [base = '', tools = '', plain = '', vex = ''] = await Promise.all(
    written.map((path) => readFile(join(directory, path), 'utf8')),
  );
  t.is(readSpdx(base, 'base').product.version, 'v1.14.0');
  const [part] = readSpdx(tools, 'tools').contents;
  t.is(part?.part.name, 'os/tools');
  t.deepEqual(
    part?.components.map(({ name }) => name),
    ['strace', 'libunwind8'],
  );
  t.deepEqual(readSpdx(plain, 'plain').contents[0]?.components, []);
  for (const { status } of readVex(vex).statements) t.is(status, 'not_affected');
});

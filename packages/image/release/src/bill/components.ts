import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { execPath } from 'node:process';

import { type Component, debianComponent, formatPurl, genericComponent, npmComponent } from '@nodecore/sbom';
import type { Architecture } from '@nodecore/schematic/release';

import { BuildError } from '../errors.ts';
import type { Kernel } from '../modules.ts';
import { cacheDirectory, checkout } from '../paths.ts';
import { distributionHere } from './distribution.ts';
import { licenseHere } from './license.ts';
import { ownersOf } from './owners.ts';
import { unpackedComponent } from './unpacked.ts';

/** Where files of a release came from. */
export type Sources = {
  /** Files of this machine. */
  readonly files: readonly string[];
  readonly kernel: Kernel;
  /** As `amd64`. */
  readonly architecture: Architecture;
};

/**
 * What files of this machine are of: packages of Debian, packages of npm, Node.js, and the kernel. Files of this checkout are the
 * product's own.
 *
 * @throws {BuildError} `ERR_BUILD_CONTENT` with a file that is of none of them: nobody could say what it is.
 */
export async function componentsOf({ files, kernel, architecture }: Sources): Promise<readonly Component[]> {
  const found: Component[] = [];
  const debian: string[] = [];
  const manifests = new Set<string>();
  const unpacked = new Set<string>();
  const node = await realpath(execPath);
  for (const file of new Set(files)) {
    const inCache = relative(cacheDirectory, file);
    if (file === node || file === execPath)
      found.push(genericComponent('node', process.versions.node, 'MIT'));
    else if (file.includes('/node_modules/')) manifests.add(manifestOf(file));
    else if (inCache.startsWith('kernels/')) continue; // once, below
    else if (!inCache.startsWith('..')) unpacked.add(inCache);
    else if (relative(checkout, file).startsWith('..')) debian.push(file);
  }
  for (const path of manifests) found.push(await npmPackage(path));
  for (const path of unpacked) {
    const component = await unpackedComponent(path, architecture);
    if (component !== undefined) found.push(component);
  }
  found.push(await kernelComponent(kernel, architecture));
  const distribution = await distributionHere();
  for (const owner of await ownersOf(debian)) {
    const license = await licenseHere(owner.name);
    found.push(debianComponent({ ...owner, distribution, license }));
  }
  const each = new Map(found.map((component) => [formatPurl(component.purl), component]));
  return [...each.values()].toSorted(
    (a, b) => compareTexts(a.name, b.name) || compareTexts(a.version, b.version),
  );
}

/** The package that a module is of: the nearest description that has a name and a version. */
function manifestOf(file: string): string {
  for (let at = dirname(file); basename(at) !== 'node_modules' && at !== '/'; at = dirname(at)) {
    const parent = dirname(at);
    const isRoot =
      basename(parent) === 'node_modules' ||
      (basename(parent).startsWith('@') && basename(dirname(parent)) === 'node_modules');
    if (isRoot && existsSync(join(at, 'package.json'))) return join(at, 'package.json');
  }
  throw new BuildError('ERR_BUILD_CONTENT', `${file} is of no package of npm`);
}

async function npmPackage(path: string): Promise<Component> {
  const { name, version, license } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  if (typeof name !== 'string' || typeof version !== 'string')
    throw new BuildError('ERR_BUILD_CONTENT', `${path} has no name or no version`);
  return npmComponent(name, version, typeof license === 'string' ? license : undefined);
}

/** The version of its package, as the kernel says it: its file is unpacked, and no list has it. @throws {BuildError} `ERR_BUILD_CONTENT` */
export async function kernelBuild({ image, version }: Kernel): Promise<string> {
  const said = /#\d+ SMP[^\n\0]*Debian (?<build>\d[^\s\0]*) \(/.exec(
    (await readFile(image)).toString('latin1'),
  );
  const build = said?.groups?.['build'];
  if (build === undefined)
    throw new BuildError('ERR_BUILD_CONTENT', `kernel ${version} does not say which build of Debian it is`);
  return build;
}

async function kernelComponent(kernel: Kernel, architecture: string): Promise<Component> {
  const build = await kernelBuild(kernel);
  return debianComponent({
    name: `linux-image-${kernel.version}`,
    version: build,
    architecture,
    source: { name: 'linux', version: build },
    distribution: await distributionHere(),
    license: 'GPL-2.0-only WITH Linux-syscall-note',
  });
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

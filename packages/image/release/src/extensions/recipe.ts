import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { kernelBuild } from '../bill/components.ts';
import { readElf } from '../elf.ts';
import { BuildError } from '../errors.ts';
import { type Kernel, moduleFiles } from '../modules.ts';
import { cacheDirectory } from '../paths.ts';
import { run } from '../run.ts';
import { scanTree } from '../scan.ts';
import { Tree } from '../tree.ts';

/** How an extension is made of packages of Debian: nothing is in it that is not named here. */
export type Recipe = {
  readonly description: string;
  /** Of Debian, which `scripts/setup` unpacked into `.cache/extension-packages`. */
  readonly packages: readonly string[];
  /** Programs of these by their paths below `/usr`. They come into `/usr/local/bin`, and those of no `bin` into `/usr/local/sbin`. */
  readonly programs: readonly string[];
  /** Libraries of these by soname: what the programs need, and the base does not have. They are for these programs alone. */
  readonly libraries: readonly string[];
  /** Modules of the kernel of the release. What they need comes along, where the base does not have it. */
  readonly modules: readonly string[];
};

export type RecipeOptions = {
  /** Of the release, as `v1.14.0`. */
  readonly version: string;
  readonly kernel: Kernel;
  /** The directory of the root that the extension will lie over. */
  readonly root: string;
  /** Where sources of extensions are: it gets NAME/manifest.yaml, NAME/dpkg-status and NAME/rootfs/. */
  readonly into: string;
  /** Where packages are unpacked; another place in tests. */
  readonly packages?: string;
};

const libraryDirectory = '/usr/lib/x86_64-linux-gnu';

/**
 * Makes the source of an extension of a recipe, for `takeExtensions`.
 *
 * @param name as `os/drbd`.
 * @throws {BuildError} `ERR_BUILD_MISSING` for a package, program, library or module that is not there; `ERR_BUILD_CONTENT` for a
 *   library that a program needs and nobody has, one that none needs, and for what no root may have, as a script.
 */
export async function makeOfRecipe(name: string, recipe: Recipe, options: RecipeOptions): Promise<void> {
  const { version, kernel, root, into, packages = join(cacheDirectory, 'extension-packages') } = options;
  const source = join(into, name);
  const tree = new Tree(join(source, 'rootfs'));
  await mkdir(tree.directory, { recursive: true });
  await tree.add('/');
  const own = `/usr/local/lib/${name.replaceAll('/', '-')}`;
  const files: string[] = [];
  const add = async (path: string, to: string): Promise<void> => {
    await tree.copy(await fileOf(name, path, recipe, packages), to, 'extension');
    files.push(to);
  };
  for (const path of recipe.programs) {
    const place = basename(dirname(path)) === 'bin' ? 'bin' : 'sbin';
    await add(path, `/usr/local/${place}/${basename(path)}`);
  }
  for (const soname of recipe.libraries) await add(`${libraryDirectory}/${soname}`, `${own}/${soname}`);
  await link(name, { tree, files, libraries: recipe.libraries, root, own });
  const place = `/usr/lib/modules/${kernel.version}`;
  for (const file of await moduleFiles(kernel, recipe.modules))
    if (!existsSync(join(root, place, file)))
      await tree.copy(join(kernel.modules, file), join(place, file), 'extension');
  const found = await scanTree(tree.directory);
  if (found.length > 0) throw refused(name, `is not to have: ${found.join('; ')}`);
  const status = await paragraphs(name, recipe.packages, packages);
  if (recipe.modules.length > 0) status.push(await kernelParagraph(kernel));
  await writeFile(join(source, 'dpkg-status'), `${status.join('\n\n')}\n`);
  await writeFile(join(source, 'manifest.yaml'), manifest(name, version, recipe.description));
}

function refused(name: string, why: string): BuildError {
  return new BuildError('ERR_BUILD_CONTENT', `extension ${name} ${why}`);
}

/** Where a package has the file. One that was made before `/usr` was merged has it at its former name. */
async function fileOf(name: string, path: string, recipe: Recipe, packages: string): Promise<string> {
  for (const each of recipe.packages)
    for (const inside of [path, path.replace(/^\/usr/u, '')]) {
      const file = join(packages, each, inside);
      if (!existsSync(file)) continue;
      // A link of a package may lead to a file of this machine, of which nothing is known here.
      if (!(await realpath(file)).startsWith(`${await realpath(packages)}/`))
        throw refused(name, `has a link to outside of the packages: ${path}`);
      return file;
    }
  const where = recipe.packages.join(', ');
  throw new BuildError('ERR_BUILD_MISSING', `extension ${name}: ${where} have no ${path}: run scripts/setup`);
}

type Linked = {
  readonly tree: Tree;
  readonly files: readonly string[];
  readonly libraries: readonly string[];
  readonly root: string;
  /** Where the extension has its libraries. */
  readonly own: string;
};

/**
 * Has each file look for the libraries of the extension where they are. The linker looks in no place below `/usr/local`, and its list
 * of places is one file, of which two extensions can not have one each.
 */
async function link(name: string, { tree, files, libraries, root, own }: Linked): Promise<void> {
  const used = new Set<string>();
  for (const file of files) {
    const needed = (await readElf(tree.at(file)))?.needed ?? [];
    for (const soname of needed.filter((each) => !libraries.includes(each)))
      if (!existsSync(join(root, libraryDirectory, soname)) && !existsSync(join(root, '/usr/lib64', soname)))
        throw refused(name, `needs ${soname} for ${file}, which neither the base nor its recipe has`);
    const ours = needed.filter((each) => libraries.includes(each));
    for (const soname of ours) used.add(soname);
    if (ours.length > 0) await run('patchelf', ['--set-rpath', own, tree.at(file)]);
  }
  const idle = libraries.filter((each) => !used.has(each));
  if (idle.length > 0)
    throw refused(name, `has libraries that none of its programs needs: ${idle.join(', ')}`);
}

/** What dpkg says of the packages, for the bill of materials. */
async function paragraphs(name: string, wanted: readonly string[], packages: string): Promise<string[]> {
  const all = (await readFile(join(packages, 'packages'), 'utf8')).trim().split(/\n\s*\n/u);
  return wanted.map((each) => {
    const found = all.find((paragraph) => paragraph.split('\n').includes(`Package: ${each}`));
    if (found === undefined)
      throw new BuildError(
        'ERR_BUILD_MISSING',
        `extension ${name}: ${each} is not unpacked: run scripts/setup`,
      );
    return found;
  });
}

async function kernelParagraph(kernel: Kernel): Promise<string> {
  const build = await kernelBuild(kernel);
  return [
    `Package: linux-image-${kernel.version}`,
    `Version: ${build}`,
    'Architecture: amd64',
    `Source: linux (${build})`,
  ].join('\n');
}

function manifest(name: string, version: string, description: string): string {
  return [
    'version: v1alpha1',
    'metadata:',
    `  name: ${basename(name)}`,
    `  version: ${version}`,
    '  author: nodecore',
    `  description: ${JSON.stringify(description)}`,
    '',
  ].join('\n');
}

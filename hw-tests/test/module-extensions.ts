import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { type ModuleList, moduleLists, parseModuleList } from '@nodecore/image';
import { buildRelease } from '@nodecore/release';
import { output } from '@nodecore/testkit';
import { fileView, type View } from '@nodecore/view';

import { makeOfRecipe } from '../../packages/image/release/src/extensions/recipe.ts';
import { recipeOf } from '../../packages/image/release/src/extensions/recipes.ts';
import { takeExtensions } from '../../packages/image/release/src/extensions/take.ts';
import { moduleFiles, releaseKernel } from '../../packages/image/release/src/modules.ts';

export type ModuleExtensions = {
  /** Squashfs files by the names of the extensions. */
  readonly extensions: Readonly<Record<string, View>>;
  /** The lists of modules, as a factory puts them over the root. */
  readonly layer: Readonly<Record<string, Uint8Array>>;
};

export type ModuleExtensionsOptions = {
  /** Modules of each extension, which the base does not have. What they need must be among them, or in the base. */
  readonly modules: Readonly<Record<string, readonly string[]>>;
  /** The names of modules that somebody has changed after they were signed. */
  readonly changed: readonly string[];
  /** Extensions of recipes besides. */
  readonly recipes: readonly string[];
};

/** Extensions with modules of Debian's kernel, made and listed by the build and the factory's own code. */
export async function moduleExtensions(
  directory: string,
  { modules, changed, recipes }: ModuleExtensionsOptions,
): Promise<ModuleExtensions> {
  const at = (...parts: readonly string[]): string => join(directory, 'modules', ...parts);
  const release = await buildRelease();
  const kernel = await releaseKernel();
  await mkdir(at('place'), { recursive: true });
  const base = join(release.directory, 'amd64', 'base.sqsh');
  const parts = ['usr/lib/modules', 'usr/lib/x86_64-linux-gnu', 'usr/lib64'];
  await output(['unsquashfs', '-quiet', '-no-progress', '-d', at('root'), base, ...parts]);
  for (const [name, wanted] of Object.entries(modules)) {
    const tree = at('extensions', name);
    const text = `version: v1alpha1\nmetadata: {name: ${basename(name)}, version: v1}\n`;
    for (const file of await moduleFiles(kernel, wanted)) {
      const path = join(tree, 'rootfs/usr/lib/modules', kernel.version, file);
      await mkdir(dirname(path), { recursive: true });
      await cp(join(kernel.modules, file), path);
      if (changed.some((each) => file.endsWith(`/${each}.ko`))) await change(path);
    }
    await writeFile(join(tree, 'manifest.yaml'), text);
  }
  const { version } = release.release;
  const about = { version, kernel, root: at('root'), into: at('extensions') };
  for (const name of recipes) await makeOfRecipe(name, recipeOf(name), about);
  const place = { version, root: at('root'), place: at('place') };
  const { extensions, lists } = await takeExtensions([at('extensions')], place);
  const read = async (file: string): Promise<ModuleList> =>
    parseModuleList(await readFile(at('place', file), 'utf8'), file);
  const [below, ...above] = (await Promise.all(lists.map(read))).toReversed(); // that of the base is written last
  if (below === undefined) throw new Error('no list of modules of the base');
  const written = moduleLists([below, ...above]);
  const files = Object.keys(extensions).map(
    async (name) => [name, await fileView(at('place/extensions', `${name}.sqsh`))] as const,
  );
  return {
    extensions: Object.fromEntries(await Promise.all(files)),
    layer: Object.fromEntries(
      Array.from(written, ([name, bytes]) => [`usr/lib/modules/${kernel.version}/${name}`, bytes]),
    ),
  };
}

/** Another text in it, as long as before: its signature is there, and is not of this. */
async function change(path: string): Promise<void> {
  const text = await readFile(path, 'latin1');
  const other = text.replace('license=GPL', 'license=gpl');
  if (other === text) throw new Error(`${path} has no licence to change`);
  await writeFile(path, other, 'latin1');
}

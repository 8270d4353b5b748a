import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

import {
  type BaseFiles,
  type ExtensionManifest,
  isExtensionName,
  isInRange,
  type LayerFile,
  layerProblems,
  parseExtensionManifest,
} from '@nodecore/schematic/extension';
import {
  extensionFile,
  extensionModulesFile,
  modulesFile,
  type ReleaseExtension,
} from '@nodecore/schematic/release';
import { formatModuleList, type ModuleList, nameOfModule } from '@nodecore/image';
import { makeDirectory } from '@nodecore/sys';

import { BuildError } from '../errors.ts';
import { makeSquashfs } from '../squashfs.ts';
import { baseModules, takeModules } from './take-modules.ts';
import { baseFiles, filesOfDirectory, filesOfSquashfs } from './layer-files.ts';

const manifestName = 'manifest.yaml';

export type TakeOptions = {
  /** Of the release, as `v1.14.0`. */
  readonly version: string;
  /** The directory of the root that extensions lie over. */
  readonly root: string;
  /** The directory of the architecture in the release. */
  readonly place: string;
};

/** What was written into the directory of an architecture. */
export type TakenExtensions = {
  readonly extensions: Readonly<Record<string, ReleaseExtension>>;
  /** Paths there of lists of kernel modules; none where no extension has modules. */
  readonly lists: readonly string[];
};

/**
 * Takes the extensions of directories into a release: `os/btrfs/` there, with `manifest.yaml` and `rootfs/`, is `os/btrfs`. What each
 * has is checked before it becomes a squashfs, and again in that. Files of two extensions are not the same ones, so that their order
 * plays no part. Kernel modules are listed for who makes images: see `moduleLists`.
 *
 * @throws {BuildError} `ERR_BUILD_CONTENT` with all that is wrong with one of them; {SchematicError} for a manifest.
 */
export async function takeExtensions(
  directories: readonly string[],
  { version, root, place }: TakeOptions,
): Promise<TakenExtensions> {
  const taken: Record<string, ReleaseExtension> = {};
  const lists: string[] = [];
  const base = new Map(await baseFiles(root));
  const modules = await baseModules(root);
  const put = async (path: string, list: ModuleList): Promise<void> => {
    await makeDirectory(dirname(join(place, path)), { mode: 0o755 });
    await writeFile(join(place, path), formatModuleList(list));
    lists.push(path);
  };
  for (const { name, source } of (await Promise.all(directories.map(sourcesIn))).flat()) {
    if (taken[name] !== undefined)
      throw new BuildError('ERR_BUILD_CONTENT', `extension ${name} is there twice`);
    const manifest = parseExtensionManifest(await readFile(join(source, manifestName), 'utf8'));
    requireFitting(name, manifest, version);
    const files = await filesOfDirectory(join(source, 'rootfs'));
    requireAllowed(name, files, base);
    const work = `${place}.modules`;
    const list = await takeModules(name, { rootfs: join(source, 'rootfs'), files, base: modules, work });
    const file = join(place, extensionFile(name));
    await makeDirectory(dirname(file), { mode: 0o755 });
    await makeSquashfs(join(source, 'rootfs'), file);
    requireAllowed(name, await filesOfSquashfs(file), base);
    for (const { path, kind } of files) base.set(path, kind);
    if (list !== undefined) await put(extensionModulesFile(name), list);
    for (const { file: module } of list?.modules ?? []) modules?.names.add(nameOfModule(module));
    const { version: own, author, description, extraInfo, aliases } = manifest.metadata;
    const former = aliases.length > 0 && { aliases };
    taken[name] = { version: own, author, description, extraInfo, ...former };
  }
  if (lists.length > 0 && modules !== undefined) await put(modulesFile, modules.list);
  return { extensions: taken, lists };
}

type Source = { readonly name: string; readonly source: string };

async function sourcesIn(directory: string): Promise<readonly Source[]> {
  const found: string[] = [];
  const look = async (at: string): Promise<void> => {
    const entries = await readdir(at, { withFileTypes: true });
    if (entries.some(({ name }) => name === manifestName)) found.push(at);
    else for (const each of entries) if (each.isDirectory()) await look(join(at, each.name));
  };
  await look(directory);
  if (found.length === 0)
    throw new BuildError('ERR_BUILD_MISSING', `no ${manifestName} of an extension in ${directory}`);
  return found.toSorted().map((source) => ({ name: relative(directory, source), source }));
}

function requireFitting(name: string, { metadata, range }: ExtensionManifest, version: string): void {
  const wrong = (what: string): never => {
    throw new BuildError('ERR_BUILD_CONTENT', `extension ${JSON.stringify(name)} ${what}`);
  };
  if (!isExtensionName(name)) wrong('has a name that no schematic can use');
  if (metadata.name !== basename(name)) wrong(`calls itself ${metadata.name}`);
  if (range !== '' && isInRange(version, range) !== true) wrong(`is for ${range}, and not for ${version}`);
}

function requireAllowed(name: string, files: readonly LayerFile[], base: BaseFiles): void {
  const problems = layerProblems(files, base);
  if (problems.length > 0)
    throw new BuildError('ERR_BUILD_CONTENT', `extension ${name} is not to have: ${problems.join('; ')}`);
}

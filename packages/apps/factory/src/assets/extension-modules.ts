import { ImageError, type ModuleList, moduleLists, parseModuleList } from '@nodecore/image';
import { type Architecture, extensionModulesFile, modulesFile } from '@nodecore/schematic/release';
import type { View } from '@nodecore/view';

import type { ExtensionLayer, LoadedRelease } from '../releases/loaded-release.ts';

/**
 * The lists by which modprobe finds modules, for an image with these extensions, by path; none where none of them has modules. The lists
 * of the base do not name those.
 *
 * @throws {ImageError} `ERR_IMAGE_KERNEL` for modules of another kernel than the release's; `ERR_IMAGE_MODULES` for a list that is none.
 */
export async function modulesOf(
  release: LoadedRelease,
  architecture: Architecture,
  extensions: readonly ExtensionLayer[],
): Promise<ReadonlyMap<string, Buffer>> {
  const base = release.modules(architecture);
  const withModules = extensions.flatMap(({ name, modules }) =>
    modules === undefined ? [] : [{ file: extensionModulesFile(name), content: modules }],
  );
  if (withModules.length === 0) return new Map();
  if (base === undefined)
    throw new ImageError('ERR_IMAGE_MODULES', `${release.version} has no ${modulesFile}`);
  const kernel = release.kernelVersion(architecture);
  const lists = [
    { kernel, modules: [] },
    await read(modulesFile, base),
    ...(await Promise.all(withModules.map(({ file, content }) => read(file, content)))),
  ];
  const place = `/usr/lib/modules/${kernel}`;
  return new Map(Array.from(moduleLists(lists), ([name, bytes]) => [`${place}/${name}`, bytes]));
}

async function read(file: string, content: View): Promise<ModuleList> {
  return parseModuleList((await content.bytes()).toString(), file);
}

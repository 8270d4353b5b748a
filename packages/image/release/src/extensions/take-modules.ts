import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { type ModuleList, nameOfModule, readModuleList, type ModuleTexts } from '@nodecore/image';
import type { LayerFile } from '@nodecore/schematic/extension';

import { BuildError } from '../errors.ts';
import { run } from '../run.ts';

const place = '/usr/lib/modules';
const listNames = ['dep', 'order', 'alias', 'symbols', 'softdep', 'devname'] as const;
/** What else depmod reads. */
const facts = ['modules.builtin', 'modules.builtin.modinfo'] as const;

/** Modules that a layer may lean on, and may not have again. */
export type BaseModules = {
  readonly list: ModuleList;
  /** The directory of the root that has them. */
  readonly root: string;
  /** Names that are taken: of modules, and of what the kernel has built in. */
  readonly names: Set<string>;
};

/** The modules of a root; undefined for one without a kernel's. @throws {BuildError} `ERR_BUILD_CONTENT` for those of several kernels. */
export async function baseModules(root: string): Promise<BaseModules | undefined> {
  const kernels = await readdir(join(root, place)).catch(() => []);
  const [kernel] = kernels;
  if (kernel === undefined) return undefined;
  if (kernels.length > 1)
    throw new BuildError('ERR_BUILD_CONTENT', `the root has modules of ${kernels.join(' and of ')}`);
  const directory = join(root, place, kernel);
  const list = readModuleList(kernel, await textsIn(directory));
  const builtIn = (await readFile(join(directory, 'modules.builtin'), 'utf8')).trimEnd().split('\n');
  return {
    list,
    root,
    names: new Set([...list.modules.map(({ file }) => file), ...builtIn].map(nameOfModule)),
  };
}

/**
 * Checks the modules of an extension and lists them. They are for the kernel of the base and signed, replace none of the base, and
 * lean on nothing but the base and each other.
 *
 * @param rootfs of the extension. @param work a directory that is not there yet.
 * @returns undefined for an extension without modules.
 * @throws {BuildError} `ERR_BUILD_KERNEL` for another kernel's; `ERR_BUILD_CONTENT` with everything else that is wrong.
 */
export async function takeModules(
  name: string,
  { rootfs, files, base, work }: ExtensionModules,
): Promise<ModuleList | undefined> {
  const modules = files.filter(({ path, kind }) => path.startsWith(`${place}/`) && kind !== 'directory');
  if (modules.length === 0) return undefined;
  if (base === undefined)
    throw new BuildError(
      'ERR_BUILD_CONTENT',
      `extension ${name} has kernel modules, and the root has no kernel's`,
    );
  const { kernel } = base.list;
  const directory = `${place}/${kernel}/`;
  for (const { path } of modules)
    if (!path.startsWith(directory))
      throw otherKernel(name, path.split('/')[place.split('/').length] ?? '', kernel);
  const problems: string[] = [];
  const own = modules.filter(({ path, kind }) => kind === 'file' && /\.ko(?:\.(?:xz|zst|gz))?$/u.test(path));
  for (const { path } of modules.filter((each) => !own.includes(each)))
    problems.push(`${path} is no module; lists of modules are made with the image`);
  const names = own.map(({ path }) => nameOfModule(path));
  for (const [index, each] of names.entries())
    if (base.names.has(each) || names.indexOf(each) !== index)
      problems.push(`${own[index]?.path ?? ''} is a module that is there already, or is built in`);
  for (const { path } of own) {
    const about = await moduleFacts(join(rootfs, path));
    if (about.kernel !== kernel) throw otherKernel(`${name}: ${path}`, about.kernel, kernel);
    if (!about.isSigned) problems.push(`${path} is not signed: the kernel takes signed modules only`);
    const lacks = about.needs.filter((each) => !base.names.has(each) && !names.includes(each));
    if (lacks.length > 0)
      problems.push(`${path} needs ${lacks.join(', ')}, which neither the base nor the extension has`);
  }
  if (problems.length > 0)
    throw new BuildError('ERR_BUILD_CONTENT', `extension ${name} is not to have: ${problems.join('; ')}`);
  const relative = own.map(({ path }) => path.slice(directory.length));
  try {
    return await listed({ rootfs, base, work }, relative);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

export type ExtensionModules = {
  readonly rootfs: string;
  readonly files: readonly LayerFile[];
  readonly base: BaseModules | undefined;
  readonly work: string;
};

function otherKernel(whose: string, found: string, kernel: string): BuildError {
  const message = `extension ${whose} has modules of the kernel ${found}, and the image has ${kernel}`;
  return new BuildError('ERR_BUILD_KERNEL', message);
}

/** depmod sees them beside those of the base, which they need. */
async function listed(
  { rootfs, base, work }: Omit<ExtensionModules, 'files' | 'base'> & { readonly base: BaseModules },
  own: readonly string[],
): Promise<ModuleList> {
  const { kernel, modules } = base.list;
  const tree = join(work, 'lib/modules', kernel);
  const copy = async (root: string, file: string): Promise<void> => {
    await mkdir(dirname(join(tree, file)), { recursive: true });
    await cp(join(root, place, kernel, file), join(tree, file));
  };
  for (const file of [...modules.map((each) => each.file), 'modules.order', ...facts])
    await copy(base.root, file);
  for (const file of own) await copy(rootfs, file);
  await run('depmod', ['--basedir', work, kernel]);
  const wanted = new Set(own);
  return readModuleList(kernel, await textsIn(tree), (file) => wanted.has(file));
}

async function textsIn(directory: string): Promise<ModuleTexts> {
  const texts = await Promise.all(
    listNames.map(async (each) => [
      `modules.${each}`,
      await readFile(join(directory, `modules.${each}`), 'utf8'),
    ]),
  );
  return Object.fromEntries(texts) as ModuleTexts;
}

type ModuleFacts = { readonly kernel: string; readonly isSigned: boolean; readonly needs: readonly string[] };

/** What is written in a module. @throws {BuildError} `ERR_BUILD_PROGRAM` for what is none. */
async function moduleFacts(file: string): Promise<ModuleFacts> {
  const { stdout } = await run('modinfo', [file]);
  const field = (name: string): string =>
    new RegExp(`^${name}: *(?<text>.*)$`, 'mu').exec(stdout)?.groups?.['text'] ?? '';
  return {
    kernel: field('vermagic').split(' ')[0] ?? '',
    isSigned: field('sig_id') !== '',
    needs: field('depends')
      .split(',')
      .filter((each) => each !== '')
      .map(nameOfModule),
  };
}

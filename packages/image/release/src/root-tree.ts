import { mkdir, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';

import { imageVersionOf } from '@nodecore/schematic/release';

import { agentCommand } from './agent-command.ts';
import { agentDirectory, agentFile, bundleAgent } from './bundle.ts';
import {
  bootModules,
  dataDirectories,
  dataFiles,
  directories,
  earlyModules,
  links,
  loadedLibraries,
  machineModules,
  programs,
  texts,
  unpackedPrograms,
} from './contents.ts';
import { BuildError } from './errors.ts';
import { firstProgram } from './first-program.ts';
import { librariesOf } from './libraries.ts';
import { type Kernel, moduleFiles, moduleName } from './modules.ts';
import { cacheDirectory, checkout } from './paths.ts';
import { run } from './run.ts';
import { Tree } from './tree.ts';

const compileCacheDirectory = `${agentDirectory}/compile-cache`;
const libraryDirectory = '/usr/lib/x86_64-linux-gnu';
const unneeded = ['--strip-unneeded', '--enable-deterministic-archives'];

/** Makes the root of the node OS in a directory that is not there yet. */
export async function makeRootTree(
  directory: string,
  kernel: Kernel,
  { version, created }: { readonly version: string; readonly created: string },
): Promise<Tree> {
  await mkdir(directory);
  const tree = new Tree(directory);
  for (const path of directories) await tree.add(path);
  for (const [path, target] of Object.entries(links)) await tree.link(path, target);
  for (const [path, text] of Object.entries(texts)) await tree.write(path, text, 'configuration');
  await tree.write('/usr/lib/os-release', osRelease(version, created), 'configuration');
  await addNode(tree);
  const addons = await addAgent(tree);
  await addPrograms(tree, addons);
  await addModules(tree, kernel);
  await addCompileCache(tree);
  return tree;
}

/** @param created the clock of a machine that runs it is not before that. */
function osRelease(version: string, created: string): string {
  return [
    'NAME="Node OS"',
    `PRETTY_NAME="Node OS ${version}"`,
    'ID=nodeos',
    'IMAGE_ID=nodeos',
    `IMAGE_VERSION=${imageVersionOf(version)}`,
    `VERSION_ID=${imageVersionOf(version)}`,
    `BUILD_ID=${created}`,
    '',
  ].join('\n');
}

/** Without the symbols that only a debugger reads. */
async function addNode(tree: Tree): Promise<void> {
  await tree.copy(execPath, '/usr/bin/node', 'node, not stripped');
  await run('strip', [...unneeded, tree.at('/usr/bin/node')]);
}

/** @returns the shared objects that the agent loads. */
async function addAgent(tree: Tree): Promise<string[]> {
  const { programs: made, files, modules } = await bundleAgent();
  tree.note(modules);
  for (const [path, code] of made) await tree.write(join(agentDirectory, path), code, 'agent');
  for (const path of files) await tree.copy(join(checkout, path), join(agentDirectory, path), 'agent');
  // The nearest package says what kind of module a `.js` is.
  await tree.write(`${agentDirectory}/package.json`, '{ "type": "module" }\n', 'agent');
  await tree.write(`${agentDirectory}/agent.arguments`, agentCommand(), 'agent');
  await tree.copy(await firstProgram('tether'), `${agentDirectory}/tether`, 'agent');
  await tree.copy(await firstProgram('keeper'), `${agentDirectory}/keeper`, 'agent');
  const addons = files.filter((path) => path.endsWith('.node')).map((path) => join(agentDirectory, path));
  addons.push(await addKoffi(tree));
  for (const path of addons) await run('strip', [...unneeded, tree.at(path)]);
  return addons.map((path) => tree.at(path));
}

/** The one dependency that stays outside of the bundle: it loads its addon from its own place. */
async function addKoffi(tree: Tree): Promise<string> {
  const require = createRequire(join(checkout, 'packages', 'foundation', 'sys', 'src', 'ffi.ts'));
  const koffi = await realpath(dirname(require.resolve('koffi')));
  const modules = `${agentDirectory}/node_modules`;
  await tree.copyBelow(koffi, `${modules}/koffi`, 'koffi', (path) =>
    /^(package\.json|index\.c?js|src\/koffi\/(index|src\/static)\.c?js)$/.test(path),
  );
  const name = '@koromix/koffi-linux-x64';
  const addon = join(dirname(koffi), name);
  await tree.copyBelow(await realpath(addon), `${modules}/${name}`, 'koffi', (path) =>
    /^(package\.json|index\.js|linux_x64\/koffi\.node)$/.test(path),
  );
  return `${modules}/${name}/linux_x64/koffi.node`;
}

async function addPrograms(tree: Tree, addons: readonly string[]): Promise<void> {
  for (const file of programs) await tree.copy(file, file, 'programs');
  for (const file of unpackedPrograms) {
    const [, name] = file.split('/');
    const purpose = file.startsWith('etcd/') ? 'etcd' : 'programs';
    await tree.copy(join(cacheDirectory, file), `/usr/bin/${name ?? file}`, purpose);
  }
  for (const file of dataFiles) await tree.copy(file, file, 'data of programs');
  for (const directory of dataDirectories) await tree.copyBelow(directory, directory, 'data of programs');
  const binaries = await readdir(tree.at('/usr/bin'));
  const system = await readdir(tree.at('/usr/sbin'));
  const roots = [
    ...binaries.map((name) => tree.at(`/usr/bin/${name}`)),
    ...system.map((name) => tree.at(`/usr/sbin/${name}`)),
    ...dataFiles.filter((file) => file.includes('.so')),
    ...addons,
  ];
  for (const [soname, file] of await librariesOf(roots, loadedLibraries)) {
    const isLinker = soname.startsWith('ld-linux');
    await tree.copy(file, `${isLinker ? '/usr/lib64' : libraryDirectory}/${soname}`, 'libraries');
  }
}

async function addModules(tree: Tree, kernel: Kernel): Promise<void> {
  const place = `/usr/lib/modules/${kernel.version}`;
  const files = await moduleFiles(kernel, [...earlyModules, ...bootModules, ...machineModules]);
  for (const file of files) await tree.copy(join(kernel.modules, file), join(place, file), 'modules');
  for (const file of ['modules.builtin', 'modules.builtin.modinfo', 'modules.order'])
    await tree.copy(join(kernel.modules, file), join(place, file), 'modules');
  await run('depmod', ['--basedir', tree.directory, kernel.version]);
  await tree.adopt(place, 'modules');
  const named = bootModules.map(moduleName).filter((name) => files.some((file) => moduleName(file) === name));
  await tree.write(`${agentDirectory}/modules.list`, `${named.join('\n')}\n`, 'agent');
}

/**
 * What V8 made of the agent's code, by the node that will run it and at its own place: the code's path is part of it. It runs
 * inside the tree, as root of a user namespace where this process is not root.
 */
async function addCompileCache(tree: Tree): Promise<void> {
  // V8 keeps hashes of strings in it, which come from its random numbers; the seed is no flag that the agent must have, too.
  const words = ['/usr/bin/node', '--random-seed=1', `${agentDirectory}/${agentFile}`, '--help'];
  const asRoot = process.getuid?.() === 0 ? [] : ['unshare', '--map-root-user'];
  const inside = [...asRoot, 'chroot', tree.directory, ...words];
  const cache = `NODE_COMPILE_CACHE=${compileCacheDirectory}`;
  await run('env', [cache, ...inside]);
  await tree.adopt(compileCacheDirectory, 'compile cache');
  // A flag or a place that differs makes it useless in silence.
  const unseeded = inside.filter((word) => !word.startsWith('--random-seed'));
  const { stderr: told } = await run('env', [cache, 'NODE_DEBUG_NATIVE=COMPILE_CACHE', ...unseeded]);
  if (!told.includes(`${agentFile} was accepted`))
    throw new BuildError('ERR_BUILD_CONTENT', "node does not take the cache of the agent's code");
}

/** Removes a tree that was made. */
export async function removeTree(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
}

/** The files that the first filesystem has of the kernel's modules, in the order in which they are inserted, not compressed. */
export async function earlyModuleContents(
  kernel: Kernel,
): Promise<readonly { readonly path: string; readonly content: Buffer }[]> {
  const files = await moduleFiles(kernel, earlyModules);
  return await Promise.all(
    files.map(async (file) => {
      const path = `modules/${moduleName(file)}.ko`;
      if (file.endsWith('.ko')) return { path, content: await readFile(join(kernel.modules, file)) };
      const plain = join(cacheDirectory, 'release-build', `${moduleName(file)}.ko`);
      await run('sh', ['-c', 'xz --decompress --stdout "$1" >"$2"', 'sh', join(kernel.modules, file), plain]);
      return { path, content: await readFile(plain) };
    }),
  );
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  chmod,
  copyFile,
  cp,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import {
  architectureFiles,
  biosFiles,
  clientDirectory,
  extensionFile,
  formatRelease,
  type Release,
  type ReleaseExtension,
  type ReleaseFile,
  parseRelease,
  releaseFileName,
  releaseLayout,
  signatureFileName,
  signRelease,
} from '@nodecore/schematic/release';
import { cpio, type CpioEntry } from '@nodecore/image';
import { codeOf, flock, LOCK_EX, LOCK_NB, makeDirectory, releaseVersion } from '@nodecore/sys';
import { View } from '@nodecore/view';

import { writeBills } from './bill/write.ts';
import { assertWithinBudget } from './budget.ts';
import { bundleClient } from './client-bundle.ts';
import { makeOfRecipe } from './extensions/recipe.ts';
import { recipeOf } from './extensions/recipes.ts';
import { takeExtensions } from './extensions/take.ts';
import { fingerprint } from './fingerprint.ts';
import { firstProgram } from './first-program.ts';
import { grubInputs, makeGrub } from './grub.ts';
import { releaseKey } from './keys.ts';
import { type Kernel, releaseKernel } from './modules.ts';
import { cacheDirectory } from './paths.ts';
import { earlyModuleContents, makeRootTree } from './root-tree.ts';
import { refuseForbidden } from './scan.ts';
import { sourceTime } from './source-time.ts';
import { makeSquashfs } from './squashfs.ts';

/** The version of a release that nobody gave one. */
export const defaultVersion: string = releaseVersion;

const architecture = 'amd64';
/** The same file for each: it has no native code. */
const clients = ['osctl-linux-amd64', 'osctl-linux-arm64'];
/** Of systemd, which `scripts/setup` unpacked into `.cache`. */
const bootPrograms = ['systemd-boot/stub.efi', 'systemd-boot/systemd-boot.efi'];
const workPrefix = 'new-';
const recipesName = 'recipes';
const minimumVersion = 'v1.14.0-alpha.0';

/** How a release is built. */
export type BuildOptions = {
  /** As `v1.14.0-alpha.0`. */
  readonly version?: string;
  /** The release directory; default `.cache/releases/<version>`. What is there is replaced as a whole. */
  readonly output?: string;
  /** Where the signing key is, or is made; default `.cache/release-keys`. */
  readonly keys?: string;
  /** A directory with extensions that images of the release may have; default none. */
  readonly extensions?: string;
  /**
   * Extensions of {@link recipes} besides, as `os/drbd`; default none. A release that is there and has more of them is not built
   * anew.
   */
  readonly recipes?: readonly string[];
  /** Hears of each step as it begins. */
  readonly onStep?: (step: string) => void;
};

/** A release that was built, or was there. */
export type BuiltRelease = {
  readonly directory: string;
  readonly release: Release;
  /** Nothing had changed since it was built. */
  readonly fresh: boolean;
  /** Bytes in the root, not compressed, by what they are for; empty when nothing was built. */
  readonly contents: ReadonlyMap<string, number>;
};

/**
 * Builds a release of the node OS for this architecture from Debian's packages and this checkout. The same inputs give the same
 * bytes on every machine, at any time. Takes a second when nothing has changed; builds of one checkout wait for each other.
 *
 * @throws {BuildError} with what is missing, failed, or must not be in it.
 *
 * @example
 * const { directory, release } = await buildRelease({ onStep: console.log });
 * console.log(directory, release.files['amd64/base.sqsh']?.size);
 */
export async function buildRelease(options: BuildOptions = {}): Promise<BuiltRelease> {
  const version = options.version ?? defaultVersion;
  const directory = options.output ?? join(cacheDirectory, 'releases', version);
  const keys = options.keys ?? join(cacheDirectory, 'release-keys');
  const step = options.onStep ?? (() => {});
  const place = join(cacheDirectory, 'release-build');
  await makeDirectory(place, { mode: 0o755 });
  await using lock = await open(join(place, 'lock'), 'w', 0o600);
  await locked(lock.fd, step);
  await removeLeft(place);
  const kernel = await releaseKernel();
  const created = await sourceTime();
  const { extensions, recipes: wanted = [] } = options;
  for (const name of wanted) recipeOf(name);
  const facts = await fingerprint(kernel, [version, directory, keys], extensions);
  const there = await current(directory, facts, wanted);
  if (there !== undefined) return { directory, release: there, fresh: false, contents: new Map() };
  const work = await mkdtemp(join(place, workPrefix));
  try {
    const given = extensions === undefined ? [] : [extensions];
    const sources = wanted.length === 0 ? given : [...given, join(work, recipesName)];
    const making = { version, created, kernel, step, sources, wanted };
    const { sizes: contents, taken, lists, files } = await fill(work, making);
    step('what it is made of');
    const made = join(work, 'release');
    const about = { version, created, kernel, architecture, files, extensions: sources, taken } as const;
    const bills = await writeBills(made, about);
    step('signing');
    const release = await describe(made, { version, kernel, created, taken, lists, bills });
    assertWithinBudget(release);
    const bytes = Buffer.from(formatRelease(release));
    await writeFile(join(work, 'release', releaseFileName), bytes);
    await writeFile(join(work, 'release', signatureFileName), signRelease(bytes, await releaseKey(keys)));
    await replace(join(work, 'release'), directory);
    await writeFile(stampOf(directory), facts);
    return { directory, release, fresh: true, contents };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

type Making = {
  readonly version: string;
  /** When its sources were committed. */
  readonly created: string;
  readonly kernel: Kernel;
  readonly step: (step: string) => void;
  /** Directories of extensions, that of recipes last. */
  readonly sources: readonly string[];
  /** Of recipes. */
  readonly wanted: readonly string[];
};

type Made = {
  readonly sizes: ReadonlyMap<string, number>;
  readonly taken: Readonly<Record<string, ReleaseExtension>>;
  /** Lists of kernel modules, by their paths in the directory of the architecture. */
  readonly lists: readonly string[];
  /** Of this machine, that are in it. */
  readonly files: readonly string[];
};

async function fill(
  work: string,
  { version, created, kernel, step, sources, wanted }: Making,
): Promise<Made> {
  const place = join(work, 'release', architecture);
  await makeDirectory(place, { mode: 0o755 });
  step('PID 1');
  const init = await readFile(await firstProgram('init'));
  step('root');
  const tree = await makeRootTree(join(work, 'root'), kernel, { version, created });
  await refuseForbidden(tree.directory);
  step('squashfs');
  await makeSquashfs(tree.directory, join(place, 'base.sqsh'));
  step('initramfs');
  const modules = await earlyModuleContents(kernel);
  const list = modules.map(({ path }) => `/${path}\n`).join('');
  const archive = cpio([
    file('init', init, 0o755),
    file('modules.list', Buffer.from(list)),
    ...modules.map(({ path, content }) => file(path, content)),
  ]);
  await archive.writeTo(join(place, 'initramfs.cpio'));
  await copyFile(kernel.image, join(place, 'kernel'));
  for (const path of bootPrograms) await copyFile(join(cacheDirectory, path), join(place, basename(path)));
  step('GRUB');
  await makeGrub(place);
  step('osctl');
  const client = await bundleClient();
  await makeDirectory(join(work, 'release', clientDirectory), { mode: 0o755 });
  for (const name of clients) await writeFile(join(work, 'release', clientDirectory, name), client);
  const boot = [...bootPrograms, ...grubInputs].map((path) => join(cacheDirectory, path));
  const files = [...tree.sources, ...boot];
  if (sources.length === 0) return { sizes: tree.sizes, taken: {}, lists: [], files };
  step('extensions');
  const root = tree.directory;
  for (const name of wanted)
    await makeOfRecipe(name, recipeOf(name), { version, kernel, root, into: join(work, recipesName) });
  const { extensions: taken, lists } = await takeExtensions(sources, { version, root, place });
  return { sizes: tree.sizes, taken, lists, files };
}

function file(path: string, content: Uint8Array, mode = 0o644): CpioEntry {
  return { kind: 'file', path, mode, content: View.of(content) };
}

type Described = Pick<Making, 'version' | 'created' | 'kernel'> &
  Pick<Made, 'taken' | 'lists'> & { readonly bills: readonly string[] };

async function describe(
  directory: string,
  { version, kernel, created, taken, lists, bills }: Described,
): Promise<Release> {
  const files: Record<string, ReleaseFile> = {};
  const extensions = Object.keys(taken).map(extensionFile);
  const paths = [
    ...[...architectureFiles, ...biosFiles, ...extensions, ...lists].map((name) => `${architecture}/${name}`),
    ...clients.map((name) => `${clientDirectory}/${name}`),
    ...bills,
  ];
  for (const path of paths) {
    await chmod(join(directory, path), 0o644);
    files[path] = await fileFacts(join(directory, path));
  }
  const channel = version.includes('-') ? 'development' : 'stable';
  const about = { kernelVersion: kernel.version, ...(extensions.length > 0 && { extensions: taken }) };
  const architectures = { [architecture]: about };
  return { layout: releaseLayout, version, channel, created, minimumVersion, architectures, files };
}

async function fileFacts(path: string): Promise<ReleaseFile> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { size: (await stat(path)).size, sha256: hash.digest('hex') };
}

/** Not in the directory: a release directory holds what release.json names and nothing else. */
function stampOf(directory: string): string {
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  return join(cacheDirectory, 'release-build', `built-${name}`);
}

/** The release that is there when it was built of the same things, is whole, and has these extensions. */
async function current(
  directory: string,
  facts: string,
  wanted: readonly string[],
): Promise<Release | undefined> {
  try {
    if ((await readFile(stampOf(directory), 'utf8')) !== facts) return undefined;
    const release = parseRelease(await readFile(join(directory, releaseFileName), 'utf8'));
    const has = release.architectures[architecture]?.extensions ?? {};
    if (!wanted.every((name) => name in has)) return undefined;
    for (const [path, { size, sha256 }] of Object.entries(release.files)) {
      const found = await fileFacts(join(directory, path));
      if (found.size !== size || found.sha256 !== sha256) return undefined;
    }
    return release;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The stamp goes first: a build that is cut off here is begun anew. */
async function replace(made: string, directory: string): Promise<void> {
  const [part, former] = [`${directory}.part`, `${directory}.former`];
  await rm(stampOf(directory), { force: true });
  await makeDirectory(dirname(directory), { mode: 0o755 });
  await rm(part, { recursive: true, force: true });
  await rm(former, { recursive: true, force: true });
  await cp(made, part, { recursive: true, preserveTimestamps: true }); // it may be another filesystem
  await rename(directory, former).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  await rename(part, directory);
  await rm(former, { recursive: true, force: true });
}

/** What builds that were killed have left; nobody else builds now. */
async function removeLeft(place: string): Promise<void> {
  for (const name of await readdir(place))
    if (name.startsWith(workPrefix)) await rm(join(place, name), { recursive: true, force: true });
}

async function locked(descriptor: number, step: (step: string) => void): Promise<void> {
  if ((await flock(descriptor, LOCK_EX | LOCK_NB)).result === 0) return;
  step('waiting for another build of this checkout');
  await flock(descriptor, LOCK_EX);
}

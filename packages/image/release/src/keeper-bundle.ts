import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { type Plugin, rolldown } from 'rolldown';

import { inAscii } from './bundle.ts';
import { BuildError } from './errors.ts';
import { checkout } from './paths.ts';

const entry = join(checkout, 'packages', 'lab', 'clusters', 'src', 'keeper', 'main.ts');

/** Which files the program is made of depends on these, too. */
const makers = [
  import.meta.url,
  new URL('bundle.ts', import.meta.url),
  new URL('../../../../node_modules/.pnpm/lock.yaml', import.meta.url),
].map((url) => fileURLToPath(url));

/** The keeper of local clusters as one file. */
export type KeeperBundle = {
  /** A module of ECMAScript, which imports nothing but modules of Node.js. */
  readonly code: string;
  /** Absolute paths of what it is made of, and of what says which files these are. */
  readonly sources: readonly string[];
};

/**
 * The keeper of this checkout as one file, which starts in less than half of the time that its modules take. What it loads when it needs it
 * runs then, as before. Its modules see the places that they have in the checkout: the programs and files beside them are found there.
 *
 * @throws {BuildError} `ERR_BUILD_CONTENT` for a module that is not found, or asks for its place in words that are not known here.
 */
export async function bundleKeeper(): Promise<KeeperBundle> {
  // Also modules of which nothing is left: what they export from others decides which these are.
  const modules: string[] = [];
  await using build = await rolldown({
    input: entry,
    cwd: checkout,
    platform: 'node',
    resolve: { conditionNames: ['source', 'import', 'node', 'default'] },
    plugins: [
      othersWhenNeeded,
      placesInTheCheckout,
      {
        name: 'what-was-read',
        buildEnd() {
          for (const id of this.getModuleIds())
            if (id.startsWith('/')) modules.push(id.split('?', 1)[0] ?? id);
        },
      },
    ],
    onLog: (_level, { code, message }) => {
      if (code === 'UNRESOLVED_IMPORT') throw new BuildError('ERR_BUILD_CONTENT', message);
    },
  });
  const { output } = await build.generate({
    format: 'esm',
    codeSplitting: false, // a keeper runs for weeks, and what it loaded later could be another by then
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  const sources = new Set([...modules, ...modules.map(packageOf), ...makers]);
  return { code: inAscii(output[0].code), sources: [...sources].sort() };
}

/** The nearest package.json, which says where the modules of its package are. */
function packageOf(module: string): string {
  for (let directory = dirname(module); ; directory = dirname(directory)) {
    const path = join(directory, 'package.json');
    if (existsSync(path)) return path;
    if (directory === '/') throw new BuildError('ERR_BUILD_CONTENT', `${module} is of no package`);
  }
}

const builtIn = 'built-in/';
const foreign = 'package/';

/**
 * Modules of Node.js and of packages that are not ours stay where they are, and are loaded with the first module that uses them: in the
 * file they would all be loaded at the start, and `node:https` takes as long as all of ours.
 */
const othersWhenNeeded: Plugin = {
  name: 'others-when-needed',
  async resolveId(id, importer) {
    if (importer === undefined || importer.startsWith('\0')) return null;
    if (isBuiltin(id)) return builtIn + id.replace(/^node:/, '');
    if (id.startsWith('.') || importer.includes('/node_modules/')) return null;
    const resolved = await this.resolve(id, importer, { skipSelf: true });
    return resolved?.id.includes('/node_modules/') === true && isCommonJs(resolved.id)
      ? foreign + resolved.id
      : null;
  },
  load: (id) => {
    const others = "process.getBuiltinModule('node:module').createRequire(import.meta.url)";
    const name = id.slice(id.indexOf('/') + 1);
    const loaded = id.startsWith(builtIn)
      ? `process.getBuiltinModule(${JSON.stringify(`node:${name}`)})`
      : id.startsWith(foreign)
        ? `${others}(${JSON.stringify(name)})`
        : undefined;
    return loaded === undefined ? null : { code: `module.exports = ${loaded};`, moduleType: 'js' };
  },
};

/** A module of ECMAScript may export a default beside others, which `require` has another form of: it is taken into the file. */
function isCommonJs(path: string): boolean {
  if (/\.[cm]js$/.test(path)) return path.endsWith('.cjs');
  const { type } = JSON.parse(readFileSync(packageOf(path), 'utf8')) as { readonly type?: string };
  return type !== 'module';
}

const placesInTheCheckout: Plugin = {
  name: 'places-in-the-checkout',
  transform: (code, id) => {
    if (!id.startsWith('/') || !code.includes('import.meta')) return null;
    const path = id.split('?', 1)[0] ?? id;
    const placed = code
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      .replaceAll('import.meta.filename', JSON.stringify(path))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
    const isOurs = !path.includes('/node_modules/');
    if (isOurs && placed.includes('import.meta.'))
      throw new BuildError(
        'ERR_BUILD_CONTENT',
        `${relative(checkout, path)} asks for its place in words that are not known here`,
      );
    return { code: placed, map: null }; // all lines stay where they are
  },
};

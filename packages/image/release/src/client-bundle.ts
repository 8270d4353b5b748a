import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';

import { type Plugin, rolldown } from 'rolldown';

import { inAscii } from './bundle.ts';
import { BuildError } from './errors.ts';
import { inPlace } from './module-places.ts';
import { checkout } from './paths.ts';

const entry = join(checkout, 'packages', 'apps', 'osctl', 'osctl.ts');
const entryText = `import { main } from './src/main.ts';
void main(process.argv.slice(2)).then((code) => { process.exitCode = code; });
`;

const startFile = join(checkout, 'packages', 'image', 'release', 'src', 'client-start.js');

/** Modules that something stands in for, as one file has nothing beside it; paths in the checkout. */
const replaced: ReadonlyMap<string, string> = new Map([
  ['packages/apps/osctl/src/cluster/command.ts', 'packages/apps/osctl/src/cluster/not-in-one-file.ts'],
  ['native/src/addon.ts', 'native/src/no-addon.ts'],
]);

/**
 * osctl of this checkout as one file, without native code: the same for every architecture. Its first line has `env` find Node.js.
 *
 * @throws {BuildError} `ERR_BUILD_CONTENT` for a module that reads a file beside it.
 */
export async function bundleClient(): Promise<string> {
  const reading = new Map<string, string>();
  await using build = await rolldown({
    input: { osctl: entry },
    cwd: checkout,
    platform: 'node',
    resolve: { conditionNames: ['source', 'import', 'node', 'default'] },
    // Loaded when a library is first called, which a client does not do.
    external: ['koffi'],
    // No module of ours does anything when it is imported: one of which nothing is used is left out.
    treeshake: { moduleSideEffects: (id) => !isOurs(id) || id === entry },
    plugins: [places(reading)],
  });
  const { output } = await build.generate({
    format: 'cjs',
    strict: true, // as its modules are
    chunkFileNames: '[name]-[hash].js',
    minify: { compress: false, mangle: false, codegen: true },
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  const chunks = output.filter((each) => each.type === 'chunk');
  for (const id of chunks.flatMap(({ modules }) => Object.keys(modules)))
    if (reading.has(id))
      throw new BuildError('ERR_BUILD_CONTENT', `${id} reads ${reading.get(id)}, and osctl is one file`);
  const parts = chunks.map(({ fileName, code }) => [fileName, code] as const);
  const start = await readFile(startFile, 'utf8');
  return asOneFile(start, new Map(parts));
}

/** Only a comment keeps V8 from looking at every function: what would end it is broken by U+0001, which others get a U+0002 behind. */
export function asOneFile(start: string, parts: ReadonlyMap<string, string>): string {
  const texts = [...parts].map(([name, code]) => {
    const text = inAscii(code).replaceAll('\x01', '\x01\x02').replaceAll('*/', '*\x01/');
    return [name, `\n${text}\n`] as const;
  });
  let left = texts.reduce((sum, [, text]) => sum + text.length, 0);
  const places: Record<string, readonly [number, number]> = {};
  for (const [name, text] of texts) {
    places[`./${name}`] = [left, left - text.length];
    left -= text.length;
  }
  const begin = start.replace('const places = {};', () => `const places = ${JSON.stringify(places)};`);
  return `${begin}/*${texts.map(([, text]) => text).join('')}*/\n`;
}

function isOurs(id: string): boolean {
  return /^(?:packages|native)\//.test(relative(checkout, id)) && !id.includes('/node_modules/');
}

/** Modules stand nowhere: those that would read a file beside them are noted. */
function places(reading: Map<string, string>): Plugin {
  return {
    name: 'one-file',
    resolveId: {
      order: 'pre',
      handler: (id, importer) => {
        if (id === entry) return entry;
        if (importer === undefined || !id.startsWith('.')) return null;
        const instead = replaced.get(relative(checkout, resolve(dirname(importer), id)));
        return instead === undefined ? null : join(checkout, instead);
      },
    },
    load: (id) => (id === entry ? { code: entryText, moduleType: 'ts' } : null),
    transform: (code, id) => {
      if (id.startsWith('\0') || !code.includes('import.meta')) return null;
      const inside = relative(checkout, id);
      const beside = (path: string): string => {
        if (isOurs(id)) reading.set(id, path);
        return path;
      };
      return inPlace(code, { url: `file:///osctl/${inside}`, beside });
    },
  };
}

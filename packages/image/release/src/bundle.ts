import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { type OutputChunk, type OutputOptions, type Plugin, rolldown } from 'rolldown';

import { BuildError } from './errors.ts';
import { inPlace } from './module-places.ts';
import { checkout } from './paths.ts';

/** Where the agent lies in the root. */
export const agentDirectory = '/usr/lib/nodeos';

/** The agent's program in there. */
export const agentFile = 'agent.cjs';

const entry = join(checkout, 'packages', 'apps', 'agent', 'bundled-agent.ts');
const entryText = `import { main } from './src/main.ts';
void main(process.argv.slice(2)).then((code) => process.exit(code));
`;
/**
 * Before all else: how many threads there are is read at the first use of the pool; and an agent that nothing goes on in any more has not
 * ended well (13, as Node.js ends a module that waits for ever).
 */
const beforeAll = "process.env['UV_THREADPOOL_SIZE'] ??= '64'; process.exitCode = 13;";

/**
 * No module of ECMAScript: as one it takes a fifth more processor time to start (V8 13.6). All of it is strict, as its modules are.
 */
const agentForm = { format: 'cjs', strict: true, intro: beforeAll } as const;

/** The agent as it lies in the root. */
export type AgentBundle = {
  /** Programs by their path in {@link agentDirectory}: the agent, and those that it starts in processes or threads of their own. */
  readonly programs: ReadonlyMap<string, string>;
  /** Files beside modules that these read, by their path in the checkout and below {@link agentDirectory}. */
  readonly files: readonly string[];
  /** Files of this machine that the programs are made of. */
  readonly modules: readonly string[];
};

/**
 * The agent of this checkout as one file, with every file that a module of it finds by its own place (`import.meta.url`): they
 * stand below the agent's directory as they stand in the checkout.
 *
 * @throws {BuildError} `ERR_BUILD_MISSING` for a file that is not there, such as an addon that was not built.
 */
export async function bundleAgent(): Promise<AgentBundle> {
  const programs = new Map<string, string>();
  const files = new Set<string>();
  const modules = new Set<string>();
  const pending = [{ input: entry, path: agentFile }];
  const found = (path: string): void => {
    const inside = relative(checkout, path);
    if (!path.endsWith('.ts')) {
      if (!existsSync(path))
        throw new BuildError('ERR_BUILD_MISSING', `${inside} is not there; the agent reads it`);
      files.add(inside);
    } else if (!pending.some(({ input }) => input === path)) {
      pending.push({ input: path, path: inside.replace(/\.ts$/, '.js') });
    }
  };
  for (const { input, path } of pending) {
    const { code, moduleIds } = await built(input, found);
    programs.set(path, inAscii(code));
    for (const id of moduleIds) if (id.startsWith('/')) modules.add(id.split('?', 1)[0] ?? id);
  }
  return { programs, files: [...files].sort(), modules: [...modules].filter((id) => id !== entry).sort() };
}

/**
 * The agent of this checkout as it is in the root, for a debugger of this computer, which is told where the map to its sources is.
 *
 * @param map file that gets the map; its sources are those of the checkout.
 */
export async function debuggedAgent(map: string): Promise<{ readonly code: string; readonly map: string }> {
  const { code, map: found } = await built(entry, () => {}, {
    sourcemap: true,
    sourcemapPathTransform: (source, beside) => pathToFileURL(resolve(dirname(beside), source)).href,
  });
  if (found === null) throw new BuildError('ERR_BUILD_CONTENT', 'the agent has no map to its sources');
  return {
    code: `${inAscii(code)}\n//# sourceMappingURL=${pathToFileURL(map).href}\n`,
    map: found.toString(),
  };
}

async function built(
  input: string,
  found: (path: string) => void,
  options: OutputOptions = {},
): Promise<OutputChunk> {
  await using build = await rolldown({
    input,
    cwd: checkout,
    platform: 'node',
    resolve: { conditionNames: ['source', 'import', 'node', 'default'] },
    external: ['koffi'],
    plugins: [places(found)],
  });
  const { output } = await build.generate({
    codeSplitting: false,
    comments: { legal: true, annotation: false, jsdoc: false },
    ...(input === entry ? agentForm : { format: 'esm' }),
    ...options,
  });
  return output[0];
}

/**
 * The same program in ASCII: of one character beyond Latin-1, in millions, V8 makes a text of two bytes each, which it keeps in memory as
 * long as the program runs, and hashes at each start.
 */
export function inAscii(code: string): string {
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Modules see the place that they have in the root, and what they look for beside them is noted. */
function places(found: (path: string) => void): Plugin {
  return {
    name: 'places-in-the-root',
    resolveId: (id) => (id === entry ? id : null),
    load: (id) => (id === entry ? { code: entryText, moduleType: 'ts' } : null),
    transform: (code, id) => {
      if (id.startsWith('\0') || !code.includes('import.meta')) return null;
      const inside = relative(checkout, id).replace(/\.ts$/, '.js');
      const beside = (path: string): string => {
        if (!inside.startsWith('node_modules/') && path !== '.') found(resolve(dirname(id), path));
        return path.replace(/\.ts$/, '.js');
      };
      const placed = inPlace(code, { url: `file://${agentDirectory}/${inside}`, beside });
      // A script has none.
      if (!inside.startsWith('node_modules/') && placed.includes('import.meta.'))
        throw new BuildError(
          'ERR_BUILD_CONTENT',
          `${inside} asks for its place in words that are not known here`,
        );
      return { code: placed, map: null }; // all lines stay where they are
    },
  };
}

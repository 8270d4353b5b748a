import { existsSync } from 'node:fs';
import http from 'node:http';
import { dirname, join, relative, resolve } from 'node:path';

import { type Plugin, rolldown } from 'rolldown';

import { BuildError } from './errors.ts';
import { inPlace } from './module-places.ts';
import { checkout } from './paths.ts';

/** Where the agent lies in the root. */
export const agentDirectory = '/usr/lib/nodeos';

const entry = join(checkout, 'packages', 'apps', 'agent', 'bundled-agent.ts');
const entryText = `process.env['UV_THREADPOOL_SIZE'] ??= '64';
const { main } = await import('./src/main.ts');
process.exit(await main(process.argv.slice(2)));
`;

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
  const pending = [{ input: entry, path: 'agent.mjs' }];
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
    await using build = await rolldown({
      input,
      cwd: checkout,
      platform: 'node',
      resolve: { conditionNames: ['source', 'import', 'node', 'default'] },
      external: ['koffi'],
      plugins: [places(found), quietHttp()],
    });
    const comments = { legal: true, annotation: false, jsdoc: false };
    const { output } = await build.generate({ format: 'esm', codeSplitting: false, comments });
    programs.set(path, inAscii(output[0].code));
    for (const id of output[0].moduleIds) if (id.startsWith('/')) modules.add(id.split('?', 1)[0] ?? id);
  }
  return { programs, files: [...files].sort(), modules: [...modules].filter((id) => id !== entry).sort() };
}

/**
 * The same program in ASCII: of one character beyond Latin-1, in millions, V8 makes a text of two bytes each, which it keeps in memory as
 * long as the program runs, and hashes at each start.
 */
export function inAscii(code: string): string {
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * `node:http` without what it shows of Node's client of WebSockets: an `import` of it reads every export, also those that load that
 * client, which is 3 MB and a tenth of the agent's start.
 */
function quietHttp(): Plugin {
  const id = '\0node:http';
  const facts = Object.entries(Object.getOwnPropertyDescriptors(http));
  const names = facts.flatMap(([name, fact]) => ('value' in fact ? [name] : []));
  const code = `const http = process.getBuiltinModule('node:http');
export default http;
export const { ${names.join(', ')} } = http;
`;
  return {
    name: 'quiet-http',
    resolveId: { order: 'pre', handler: (source) => (source === 'node:http' ? id : null) },
    load: (path) => (path === id ? { code, moduleType: 'js' } : null),
  };
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
      return inPlace(code, { url: `file://${agentDirectory}/${inside}`, beside });
    },
  };
}

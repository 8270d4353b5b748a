import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { Plugin } from 'rolldown';

import { compileCache } from './compile-cache.ts';

const checkout = fileURLToPath(new URL('../../../..', import.meta.url));
const entry = join(checkout, 'packages', 'apps', 'agent', 'bundled-agent.ts');
const entryText = `#!/usr/bin/env node
process.env['UV_THREADPOOL_SIZE'] ??= '64';
const { main } = await import('./src/main.ts');
process.exit(await main(process.argv.slice(2)));
`;

/**
 * The agent of this checkout as one file, for a machine that shares the checkout. To look for its 900 files takes an emulated
 * processor longer than all else it does to start.
 */
export const agentProgram: string = join(checkout, '.cache', 'rig', 'agent', 'agent.js');

/** The same with a map to its sources beside it, for a debugger on either side: paths in there are those of the checkout. */
export const debuggedAgentProgram: string = join(dirname(agentProgram), 'debugged-agent.js');

/**
 * Makes {@link agentProgram}, or {@link debuggedAgentProgram}, of the sources as they are, in a second, and has this machine compile it: agents that are killed or
 * lose their machine keep nothing of what they have compiled. An emulated processor with the same instructions finds it all.
 */
export async function prepareAgent({
  isDebugged = false,
}: { readonly isDebugged?: boolean } = {}): Promise<void> {
  const program = isDebugged ? debuggedAgentProgram : agentProgram;
  const directory = dirname(program);
  await mkdir(directory, { recursive: true });
  const own = await mkdtemp(join(directory, 'new-'));
  try {
    const file = join(own, basename(program));
    await bundle(file, isDebugged);
    if (isDebugged) await rename(`${file}.map`, `${program}.map`);
    // Another process may be about to start it; a machine that runs keeps what it knows of it.
    if (!(await isEqual(file, program))) await rename(file, program);
  } finally {
    await rm(own, { recursive: true });
  }
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };
  await once(spawn(execPath, [program, '--help'], { env, stdio: 'ignore' }), 'close');
}

async function bundle(file: string, isDebugged: boolean): Promise<void> {
  const { rolldown } = await import('rolldown');
  await using build = await rolldown({
    input: entry,
    platform: 'node',
    resolve: { conditionNames: ['source', 'import', 'node', 'default'] },
    plugins: [placesOfSources()],
  });
  if (isDebugged) {
    await build.write({
      file,
      format: 'esm',
      codeSplitting: false,
      sourcemap: true,
      sourcemapPathTransform: (source, map) => resolve(dirname(map), source),
    });
  } else {
    const { output } = await build.generate({ format: 'esm', codeSplitting: false, comments: false });
    await writeFile(file, inAscii(output[0].code));
  }
  await chmod(file, 0o755);
}

/** As in an image (`image/release`): a text of one byte for each character is read and hashed in half of the time. */
function inAscii(code: string): string {
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

async function isEqual(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([readFile(one), readFile(other).catch(() => undefined)]);
  return b !== undefined && a.equals(b);
}

/** Files beside a module, addons and programs, stay where they are: each module asks for them from its own place. */
function placesOfSources(): Plugin {
  return {
    name: 'places-of-sources',
    async resolveId(id, importer) {
      if (id === entry) return id;
      if (id !== 'koffi') return null;
      const found = await this.resolve(id, importer, { skipSelf: true });
      return found === null ? null : { id: found.id, external: 'absolute' };
    },
    load: (id) => (id === entry ? { code: entryText, moduleType: 'ts' } : null),
    transform: (code, id) => {
      if (id.startsWith('\0') || !code.includes('import.meta')) return null;
      const url = JSON.stringify(pathToFileURL(id).href);
      const placed = code
        // What is left is a plain `require`, which is bundled and runs when it is first called, as before.
        .replace(/^const require = createRequire\(import\.meta\.url\);$/m, '')
        .replaceAll(/import\.meta\.resolve\(([^)]+)\)/g, `new URL($1, ${url}).href`)
        .replaceAll('import.meta.url', url);
      return { code: placed, map: null }; // all lines stay where they are
    },
  };
}

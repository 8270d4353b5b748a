import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { Plugin } from 'rolldown';

import { compileCache } from './compile-cache.ts';

const checkout = fileURLToPath(new URL('../../../..', import.meta.url));
const entry = join(checkout, 'packages', 'apps', 'agent', 'bundled-agent.ts');
const entryText = `#!/usr/bin/env node
import { main } from './src/main.ts';
void main(process.argv.slice(2)).then((code) => process.exit(code));
`;
/** As in an image (`image/release`). */
const form = {
  format: 'cjs',
  strict: true,
  intro: "process.env['UV_THREADPOOL_SIZE'] ??= '64'; process.exitCode = 13;",
  codeSplitting: false,
} as const;

/**
 * The agent of this checkout as one file, for a machine that shares the checkout. To look for its 900 files takes an emulated
 * processor longer than all else it does to start.
 */
export const agentProgram: string = join(checkout, '.cache', 'rig', 'agent', 'agent.cjs');

/**
 * Makes {@link agentProgram} of the sources as they are, in a second, and has this machine compile it: agents that are killed or
 * lose their machine keep nothing of what they have compiled. An emulated processor with the same instructions finds it all.
 */
export async function prepareAgent(): Promise<void> {
  const directory = dirname(agentProgram);
  await mkdir(directory, { recursive: true });
  const own = await mkdtemp(join(directory, 'new-'));
  try {
    const file = join(own, basename(agentProgram));
    await bundle(file);
    // Another process may be about to start it; a machine that runs keeps what it knows of it.
    if (!(await isEqual(file, agentProgram))) await rename(file, agentProgram);
  } finally {
    await rm(own, { recursive: true });
  }
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };
  await once(spawn(execPath, [agentProgram, '--help'], { env, stdio: 'ignore' }), 'close');
}

async function bundle(file: string): Promise<void> {
  const { rolldown } = await import('rolldown');
  await using build = await rolldown({
    input: entry,
    platform: 'node',
    resolve: { conditionNames: ['source', 'import', 'node', 'default'] },
    plugins: [placesOfSources()],
  });
  const { output } = await build.generate({ ...form, comments: false });
  await writeFile(file, inAscii(output[0].code));
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

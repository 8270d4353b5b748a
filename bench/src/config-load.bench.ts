import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { inAscii } from '@nodecore/release';
import { rolldown } from 'rolldown';

import { limit } from './limit.ts';
import { ask, type Bench } from './question.ts';

/** Ours: the package, and the description of each kind, which is its reader. What is needed now and then lies beside the file. */
const ours = `import { aboutKinds, parse } from '@nodecore/config';
export const ready = () => typeof parse === 'function' && aboutKinds().length;`;

/** The peer: a parser, and a validator that is compiled for the schema of each kind. */
const peer = (schemas: readonly string[]): string => `import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseAllDocuments } from 'yaml';
const schemas = [${schemas.join(',\n')}];
export const ready = () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  return typeof parseAllDocuments === 'function' && schemas.filter((schema) => ajv.compile(schema)).length;
};`;

/** Processor time, of all threads: the waiting for a turn on a machine with other work is nobody's. */
const program = `const start = process.cpuUsage();
const { ready } = await import(process.argv[2]);
const kinds = ready();
const { user, system } = process.cpuUsage(start);
process.stdout.write(JSON.stringify({ kinds, ms: (user + system) / 1000 }));
`;

type Answer = { readonly kinds: number; readonly ms: number };

const sources = fileURLToPath(new URL('.', import.meta.url));

/** A program as one file in ASCII, as nodes have theirs. */
async function bundle(code: string, file: string): Promise<void> {
  const entry = join(sources, 'entry.js');
  await using build = await rolldown({
    input: entry,
    platform: 'node',
    resolve: { conditionNames: ['source', 'import', 'node', 'default'] },
    external: ['re2js', 'smol-toml', 'diff'],
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? code : null),
        // What is left is a plain require, which runs when it is first called.
        transform: (text) => text.replace(/^const require = createRequire\(import\.meta\.url\);$/mu, ''),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  await writeFile(file, inAscii(output[0].code));
}

export const bench: Bench = {
  prepare: async (stack) => {
    const directory = await mkdtemp(join(tmpdir(), 'bench-config-load-'));
    stack.defer(() => rm(directory, { recursive: true }));
    const at = (name: string): string => join(directory, name);
    await mkdir(at('compiled'));
    await writeFile(at('program.mjs'), program);
    const published = new URL('../../packages/contract/config/schemas/v1.13/', import.meta.url);
    const { aboutKinds } = await import('@nodecore/config');
    const schemas = await Promise.all(
      aboutKinds().map(([kind]) => readFile(new URL(`${kind}.schema.json`, published), 'utf8')),
    );
    await bundle(ours, at('ours.mjs'));
    await bundle(peer(schemas), at('peer.mjs'));
    /** In a process of its own, which finds what the one before has compiled. */
    const load = async (file: string): Promise<Answer> => {
      const env = { ...process.env, NODE_COMPILE_CACHE: at('compiled'), NODE_OPTIONS: '' };
      const { stdout } = await promisify(execFile)(execPath, [at('program.mjs'), at(file)], { env });
      return JSON.parse(stdout) as Answer;
    };
    const side = (name: string, file: string): Parameters<typeof ask<number>>[0]['ours'] => ({
      name,
      run: async () => (await load(file)).kinds,
      sample: async () => (await load(file)).ms,
    });
    for (const file of ['ours.mjs', 'peer.mjs']) for (let times = 0; times < 3; times += 1) await load(file);
    return [
      ask({
        name: 'config-load',
        question:
          'What processor time until a program can read documents of every kind, beside yaml and ajv with our schemas?',
        gate: 0.25,
        rounds: 21,
        ours: side('config', 'ours.mjs'),
        peer: side('yaml + ajv', 'peer.mjs'),
      }),
      limit({
        name: 'config-load-all',
        question: 'What processor time until a program can read documents of every kind?',
        ours: 'config',
        budget: 10,
        rounds: 21,
        sample: async () => (await load('ours.mjs')).ms,
      }),
    ];
  },
};

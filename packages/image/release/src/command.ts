import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { isVersion } from '@nodecore/schematic/release';
import { codeOf } from '@nodecore/sys';

import { type BuildOptions, buildRelease, type BuiltRelease, defaultVersion } from './build.ts';
import { recipeOf, recipes } from './extensions/recipes.ts';

const usage = `Usage: npm run release -- [--version v1.14.0-alpha.0] [--output DIRECTORY] [--extensions DIRECTORY] [--recipes NAMES]

Builds the node OS as a release directory; default .cache/releases/<version>.
--extensions: what images of it may have besides, NAME/manifest.yaml and NAME/rootfs/ each.
--recipes: such of Debian's packages, with commas between them, or all: ${Object.keys(recipes).join(', ')}.
`;

/** Runs the command. @returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const wish = parsed(argv);
  if (typeof wish === 'string') {
    process.stderr.write(`${wish}\n\n${usage}`);
    return 2;
  }
  if (wish.help) {
    process.stdout.write(usage);
    return 0;
  }
  const started = performance.now();
  const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  const onStep = (step: string): void => void process.stdout.write(`${seconds().padStart(8)}  ${step}\n`);
  const options: BuildOptions = {
    version: wish.version,
    onStep,
    ...(wish.output && { output: wish.output }),
    ...(wish.extensions && { extensions: wish.extensions }),
    recipes: wish.recipes,
  };
  const built = await buildRelease(options).catch((error: unknown) => lineOf(error));
  if (typeof built === 'string') {
    process.stderr.write(`${built}\n`);
    return 1;
  }
  onStep(built.fresh ? 'done' : 'nothing has changed');
  process.stdout.write(table(built));
  process.stdout.write(`\n${built.release.version} is in ${built.directory}\n`);
  return 0;
}

type Wish = {
  readonly version: string;
  readonly output?: string;
  readonly extensions?: string;
  readonly recipes: readonly string[];
  readonly help: boolean;
};

function parsed(argv: readonly string[]): Wish | string {
  try {
    const options = {
      version: { type: 'string' },
      output: { type: 'string' },
      extensions: { type: 'string' },
      recipes: { type: 'string', default: '' },
      help: { type: 'boolean' },
    } as const;
    const { values } = parseArgs({ args: [...argv], options });
    const { version = defaultVersion, output, extensions, help = false } = values;
    const names = values.recipes.split(',').filter((name) => name !== '');
    for (const name of names) if (name !== 'all') recipeOf(name);
    if (!isVersion(version)) return `${version} is no version such as ${defaultVersion}`;
    return {
      version,
      help,
      recipes: names.includes('all') ? Object.keys(recipes) : names,
      ...(output !== undefined && { output: resolve(output) }),
      ...(extensions !== undefined && { extensions: resolve(extensions) }),
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What keeps a release from being built, for people. @throws what has no code: a defect, of which the place counts. */
function lineOf(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined || !(error instanceof Error)) throw error;
  return error.message.startsWith(code) ? error.message : `${code}: ${error.message}`;
}

/** Sizes of what is in the root, and of the files that came of it. */
function table({ contents, release }: BuiltRelease): string {
  const inRoot = [...contents].sort(([, a], [, b]) => b - a).map(([name, size]) => row(name, size));
  const files = Object.entries(release.files).map(([path, { size }]) => row(path, size));
  const total = Object.values(release.files).reduce((sum, { size }) => sum + size, 0);
  const head = inRoot.length === 0 ? [] : ['', 'In the root, not compressed:', ...inRoot];
  return [...head, '', 'Files:', ...files, row('in all', total), ''].join('\n');
}

function row(name: string, size: number): string {
  return `  ${name.padEnd(28)} ${(size / 1e6).toFixed(1).padStart(8)} MB`;
}

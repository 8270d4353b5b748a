import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { isVersion } from '@nodecore/schematic/release';

import { buildRelease, type BuiltRelease, defaultVersion } from './build.ts';

const usage = `Usage: npm run release -- [--version v1.14.0-alpha.0] [--output DIRECTORY]

Builds the node OS as a release directory; default .cache/releases/<version>.
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
  const built = await buildRelease({
    version: wish.version,
    onStep,
    ...(wish.output && { output: wish.output }),
  });
  onStep(built.fresh ? 'done' : 'nothing has changed');
  process.stdout.write(table(built));
  process.stdout.write(`\n${built.release.version} is in ${built.directory}\n`);
  return 0;
}

type Wish = { readonly version: string; readonly output?: string; readonly help: boolean };

function parsed(argv: readonly string[]): Wish | string {
  try {
    const options = {
      version: { type: 'string' },
      output: { type: 'string' },
      help: { type: 'boolean' },
    } as const;
    const { version = defaultVersion, output, help = false } = parseArgs({ args: [...argv], options }).values;
    if (!isVersion(version)) return `${version} is no version such as ${defaultVersion}`;
    return { version, help, ...(output !== undefined && { output: resolve(output) }) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
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

import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { ExecutionContext } from 'ava';

import { command, temporaryDirectory } from '../../src/index.ts';

const checkout = fileURLToPath(new URL('../../../../..', import.meta.url));
const bin = join(checkout, 'node_modules/.bin');

/** What a copy does not need. */
const left: ReadonlySet<string> = new Set(['dist', 'build', 'build-sanitized', 'tsconfig.tsbuildinfo']);

function isNeeded(path: string): boolean {
  return !left.has(basename(path));
}

/** A copy of the checkout's sources, with its dependencies, to write into. */
export async function checkoutCopy(t: ExecutionContext): Promise<string> {
  const directory = join(await temporaryDirectory(t), 'checkout');
  await mkdir(directory);
  for (const name of ['packages', 'native', 'docs', 'package.json', 'ava.config.js', 'oxlint.config.ts'])
    await cp(join(checkout, name), join(directory, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: isNeeded,
    });
  for (const name of ['tsconfig.base.json', '.oxfmtrc.json'])
    await cp(join(checkout, name), join(directory, name));
  for (const name of ['node_modules', 'native/build', '.cache'])
    await symlink(join(checkout, name), join(directory, name));
  return directory;
}

/** What the compiler, the linter and the formatter say of sources; `''` when they say nothing. */
export async function judge(directory: string, paths: readonly string[]): Promise<string> {
  const compilerOptions = {
    noEmit: true,
    composite: false,
    declaration: false,
    declarationMap: false,
    isolatedDeclarations: false,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: false,
  };
  const files = paths.filter((path) => path.endsWith('.ts'));
  await writeFile(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ extends: './tsconfig.base.json', compilerOptions, files }),
  );
  const judges: readonly (readonly [string, ...string[]])[] = [
    [join(bin, 'tsc'), '-p', 'tsconfig.json'],
    [join(bin, 'oxlint'), '--deny-warnings', ...files],
    [join(bin, 'oxfmt'), '--check', ...paths],
  ];
  const said: string[] = [];
  for (const argv of judges) {
    const { code, stdout, stderr } = await command(argv, { cwd: directory });
    if (code !== 0) said.push(`${argv.join(' ')}\n${stdout}${stderr}`);
  }
  return said.join('');
}

/** Runs test files of a copy. @returns `''` when all pass, else what was said. */
export async function runTests(directory: string, paths: readonly string[]): Promise<string> {
  const argv = [process.execPath, 'node_modules/ava/entrypoints/cli.js', ...paths] as const;
  const { code, stdout, stderr } = await command(argv, { cwd: directory });
  return code === 0 ? '' : `${stdout}${stderr}`;
}

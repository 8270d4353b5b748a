import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { runProgram } from '../program.ts';

const version = '0.2.1';
const root = fileURLToPath(new URL('../../../', import.meta.url));
const place = join(root, '.cache/bench/cap');

/** Where npm `cap` is, once {@link installCap} has put it there. */
export const capModule: string = join(place, 'node_modules/cap');

/**
 * Builds npm `cap`, an addon on nan, against the headers that come with the pinned Node. In the cache and not among the
 * dependencies: nobody who sets this project up runs its install script.
 *
 * @returns why it can't be had here, or undefined.
 */
export async function installCap(): Promise<string | undefined> {
  const built = join(capModule, 'build/Release/cap.node');
  if (existsSync(built)) return undefined;
  await mkdir(place, { recursive: true });
  const words = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', `cap@${version}`];
  const headers = `npm_config_nodedir=${dirname(dirname(pinnedNode()))}`;
  try {
    await runProgram(['env', headers, 'npm', 'install', '--prefix', place, ...words]);
  } catch (error) {
    return String(error);
  }
  return existsSync(built) ? undefined : 'its install script did not run';
}

/** The program, in a package that has its headers, too. */
function pinnedNode(): string {
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  return createRequire(join(root, 'package.json')).resolve(`node-linux-${arch}/bin/node`);
}

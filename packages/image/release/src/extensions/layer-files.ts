import { lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

import type { BaseFiles, LayerFile } from '@nodecore/schematic/extension';

import { BuildError } from '../errors.ts';
import { run } from '../run.ts';

/** All of a directory, itself included. Nothing is followed. */
export async function filesOfDirectory(directory: string): Promise<readonly LayerFile[]> {
  // With the names alone it would look behind links to directories.
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const names = entries.map(({ parentPath, name }) => relative(directory, join(parentPath, name)));
  return Promise.all(
    ['', ...names].map(async (name) => {
      const stats = await lstat(join(directory, name));
      const { mode, uid, gid } = stats;
      const path = `/${name}`;
      if (stats.isFile()) return { path, kind: 'file', mode: mode & 0o7777, uid, gid };
      const other = stats.isSymbolicLink() ? 'link' : 'other';
      return { path, kind: stats.isDirectory() ? 'directory' : other, mode: mode & 0o7777, uid, gid };
    }),
  );
}

/** What a directory has, to be compared with. */
export async function baseFiles(directory: string): Promise<BaseFiles> {
  return new Map((await filesOfDirectory(directory)).map(({ path, kind }) => [path, kind]));
}

const line =
  /^(?<type>[-dlcbps])(?<rights>[-rwxsStT]{9}) (?<uid>\d+)\/(?<gid>\d+) +(?:\d+|\d+, *\d+) \S+ \S+ squashfs-root(?<path>\/.*)?$/;
const kinds: Readonly<Record<string, LayerFile['kind']>> = { '-': 'file', d: 'directory', l: 'link' };

/** All of a squashfs, as the program that unpacks it sees it. @throws {BuildError} for a line that is not understood. */
export async function filesOfSquashfs(file: string): Promise<readonly LayerFile[]> {
  const { stdout } = await run('unsquashfs', ['-lln', file]);
  return stdout
    .trimEnd()
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => {
      const groups = line.exec(text)?.groups;
      if (groups === undefined) throw new BuildError('ERR_BUILD_CONTENT', `${file}: ${JSON.stringify(text)}`);
      const { type = '', rights = '', uid, gid, path = '/' } = groups;
      const kind = kinds[type] ?? 'other';
      return {
        path: kind === 'link' ? path.replace(/ -> .*$/u, '') : path,
        kind,
        mode: modeOf(rights),
        uid: Number(uid),
        gid: Number(gid),
      };
    });
}

/** `rwsr-xr-t` as 12 bits. */
function modeOf(rights: string): number {
  let mode = 0;
  for (const [index, letter] of rights.split('').entries()) {
    if (!'-ST'.includes(letter)) mode |= 0o400 >> index;
    if ('sStT'.includes(letter)) mode |= 0o4000 >> Math.floor(index / 3);
  }
  return mode;
}

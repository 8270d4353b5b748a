import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { runProgram } from '../program.ts';
import { files, type Tree } from './tree.ts';

/** By path: the texts of the files, or only that there is such a cgroup. */
export type Answer = Record<string, readonly (string | undefined)[]>;

/** As an archive of the tree is made on the node, to be sent to who prints it. */
export async function archive({ directory }: Tree, file: string): Promise<void> {
  await runProgram(['tar', 'czf', file, '-C', directory, '.']);
}

/** The cgroups in such an archive. */
export async function archived(tree: Tree, file: string): Promise<readonly string[]> {
  await archive(tree, file);
  const listing = await runProgram(['tar', 'tzf', file]);
  const directories = listing.split('\n').filter((line) => line.endsWith('/'));
  return directories
    .map((line) => line.slice(1, -1))
    .filter((path) => path !== '')
    .sort();
}

/** As many cgroups at a time as the reading threads of Node have use for. */
const abreast = 16;

/** `fs.promises.readFile` of every file. */
export async function readFiles({ directory, paths }: Tree): Promise<Answer> {
  const answer: Answer = {};
  const left = paths.values();
  const work = async (): Promise<void> => {
    for (const path of left) {
      answer[path] = await Promise.all(files.map((file) => readFile(join(directory, path, file), 'utf8')));
    }
  };
  await Promise.all(Array.from({ length: abreast }, work));
  return sorted(answer);
}

export function sorted(answer: Answer): Answer {
  return Object.fromEntries(Object.entries(answer).sort(([a], [b]) => (a < b ? -1 : 1)));
}

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { CgroupReader, type CgroupNode } from '../src/index.ts';

/** Contents of control files by path below the root: `{ 'a/memory.current': '1\n' }`. A path that ends in / is a directory. */
export type Contents = Readonly<Record<string, string>>;

/** Control files in a directory of another filesystem, as if they were copied from a machine. */
export async function copiedTree(t: ExecutionContext, contents: Contents): Promise<string> {
  const directory = await temporaryDirectory(t);
  await writeContents(directory, contents);
  return directory;
}

export async function writeContents(directory: string, contents: Contents): Promise<void> {
  for (const [path, text] of Object.entries(contents)) {
    const parent = path.slice(0, path.lastIndexOf('/') + 1);
    await mkdir(join(directory, parent), { recursive: true });
    if (!path.endsWith('/')) await writeFile(join(directory, path), text);
  }
}

/** Reads such a directory, and closes the reader after the test. */
export async function foreignReader(t: ExecutionContext, directory: string): Promise<CgroupReader> {
  const reader = await CgroupReader.open(directory, { foreign: true });
  t.teardown(() => reader.close());
  return reader;
}

/** One cgroup with those files. */
export async function oneCgroup(t: ExecutionContext, contents: Contents): Promise<CgroupNode> {
  const reader = await foreignReader(t, await copiedTree(t, contents));
  return (await reader.read()).root;
}

import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { needsOwnRoot, ownRoot } from '../../src/container/own-root.ts';

function at(...targets: readonly string[]): boolean {
  return needsOwnRoot(targets.map((target) => ({ type: 'tmpfs', target })));
}

test('a mount where every node has room of its own leaves the shared root as it is', (t) => {
  t.false(at());
  t.false(at('/var/data', '/run/x', '/tmp/y'));
  t.true(at('/var/data', '/data'));
  t.true(at('/variable'));
});

test('a root of its own has the same files and other directories', async (t) => {
  const directory = await temporaryDirectory(t);
  const tree = join(directory, 'a tree');
  await mkdir(join(tree, 'usr'), { recursive: true });
  await writeFile(join(tree, 'usr', 'program'), 'x');
  const own = await ownRoot(tree, join(directory, 'own'));
  await mkdir(join(own, 'data'));
  t.deepEqual(await readdir(tree), ['usr']);
  const [one, other] = await Promise.all([tree, own].map((root) => stat(join(root, 'usr', 'program'))));
  t.is(one?.ino, other?.ino);
  t.is(await ownRoot(tree, own), own);
  t.deepEqual((await readdir(own)).toSorted(), ['data', 'usr']);
});

test('what a killed copy has left is no root', async (t) => {
  const directory = await temporaryDirectory(t);
  const tree = join(directory, 'tree');
  await mkdir(tree);
  await writeFile(join(tree, 'file'), 'x');
  await mkdir(join(directory, 'own.part', 'half'), { recursive: true });
  t.deepEqual(await readdir(await ownRoot(tree, join(directory, 'own'))), ['file']);
});

/**
 * Writes the JSON Schemas of documents to `schemas/`: `node --conditions=source src/generate.ts [--check]`.
 * With --check nothing is written, and the exit code is 1 when something would be.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

import { schemaFiles, schemaVersion } from './json-schema.ts';

const directory = new URL(`../schemas/${schemaVersion}/`, import.meta.url);
const onlyCheck = process.argv.includes('--check');

async function present(): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

async function current(name: string): Promise<string | undefined> {
  const names = await present();
  return names.includes(name) ? await readFile(new URL(name, directory), 'utf8') : undefined;
}

const files = schemaFiles();
const outdated: string[] = [];
for (const [name, text] of files) if ((await current(name)) !== text) outdated.push(name);
const superfluous = (await present()).filter((name) => !files.has(name));

if (onlyCheck) {
  for (const name of [...outdated, ...superfluous])
    process.stderr.write(
      `packages/contract/config/schemas/${schemaVersion}/${name} is out of date: npm run generate\n`,
    );
  if (outdated.length + superfluous.length > 0) process.exitCode = 1;
} else {
  await mkdir(directory, { recursive: true });
  for (const name of outdated) await writeFile(new URL(name, directory), files.get(name) ?? '');
  for (const name of superfluous) await rm(new URL(name, directory));
}

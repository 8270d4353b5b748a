/**
 * Writes what follows from the descriptions of documents: JSON Schemas to `schemas/`, reference pages to `docs/documents/` of
 * the repository. `node --conditions=source src/generate.ts [--check]`: with --check nothing is written, and the exit code is 1
 * when something would be.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys/pure';

import { schemaFiles, schemaVersion } from './json-schema.ts';
import { referenceFiles } from './reference.ts';

const onlyCheck = process.argv.includes('--check');

async function present(directory: URL): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

async function generate(shown: string, files: ReadonlyMap<string, string>): Promise<void> {
  const directory = new URL(`../../../../${shown}`, import.meta.url);
  const names = await present(directory);
  const outdated: string[] = [];
  for (const [name, text] of files) {
    const current = names.includes(name) ? await readFile(new URL(name, directory), 'utf8') : undefined;
    if (current !== text) outdated.push(name);
  }
  const superfluous = names.filter((name) => !files.has(name));
  if (onlyCheck) {
    for (const name of [...outdated, ...superfluous])
      process.stderr.write(`${shown}${name} is out of date: npm run generate\n`);
    if (outdated.length + superfluous.length > 0) process.exitCode = 1;
    return;
  }
  await mkdir(directory, { recursive: true });
  for (const name of outdated) await writeFile(new URL(name, directory), files.get(name) ?? '');
  for (const name of superfluous) await rm(new URL(name, directory));
}

await generate(`packages/contract/config/schemas/${schemaVersion}/`, schemaFiles());
await generate('docs/documents/', referenceFiles());

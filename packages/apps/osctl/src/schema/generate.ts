/**
 * Writes the schemas of what commands say as JSON: `node --conditions=source src/schema/generate.ts [--check | --breaking]`. With
 * --check nothing is written, and the exit code is 1 when something would be. A change that takes away what a published schema
 * promises is refused without --breaking.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';

import { schemaFiles } from './all.ts';
import { breaksOf } from './breaks.ts';

const [onlyCheck, mayBreak] = ['--check', '--breaking'].map((flag) => process.argv.includes(flag));
const shown = 'packages/apps/osctl/schemas/';
const directory = new URL('../../schemas/', import.meta.url);

await mkdir(directory, { recursive: true });
const files = schemaFiles();
const published = new Map<string, string>();
for (const name of await readdir(directory))
  published.set(name, await readFile(new URL(name, directory), 'utf8'));

const outdated = [...files].filter(([name, text]) => published.get(name) !== text);
const superfluous = [...published.keys()].filter((name) => !files.has(name));
const breaks = [
  ...superfluous.map((name) => `${name}: the command has no JSON any more`),
  ...outdated.flatMap(([name, text]) => {
    const before = published.get(name);
    if (before === undefined) return [];
    return breaksOf(JSON.parse(before), JSON.parse(text)).map((reason) => `${name}: ${reason}`);
  }),
];

if (breaks.length > 0 && mayBreak !== true) {
  for (const reason of breaks) process.stderr.write(`${reason}\n`);
  process.stderr.write('programs rely on that: keep it, or publish the break with generate.ts --breaking\n');
  process.exitCode = 1;
} else if (onlyCheck === true) {
  for (const [name] of outdated) process.stderr.write(`${shown}${name} is out of date: npm run generate\n`);
  if (outdated.length > 0) process.exitCode = 1;
} else {
  for (const [name, text] of outdated) {
    await writeFile(new URL(name, directory), text);
    process.stdout.write(`wrote ${shown}${name}\n`);
  }
  for (const name of superfluous) await rm(new URL(name, directory));
}

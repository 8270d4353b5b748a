/**
 * `npm run bench [-- NAME…] [--smoke]`: measures ours against a peer in the same run, prints one table, writes
 * `bench/results/<name>.json`, and exits 1 when a gate fails. A name is a bench file's or a question's.
 *
 * `--smoke` asks every question once: the answers must agree, but nothing is judged or written.
 */
import { globSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Comparison, compare } from './compare.ts';
import { machineFacts } from './machine.ts';
import type { Bench } from './question.ts';
import { table } from './table.ts';

const suffix = '.bench.ts';
const sources = fileURLToPath(new URL('.', import.meta.url));
const results = fileURLToPath(new URL('../results/', import.meta.url));

const words = process.argv.slice(2);
const smoke = words.includes('--smoke');
const wanted = words.filter((word) => !word.startsWith('--'));
const unknown = words.filter((word) => word.startsWith('--') && word !== '--smoke');
const files = globSync(`*${suffix}`, { cwd: sources }).sort();
if (unknown.length > 0) {
  console.error(`unknown option ${unknown.join(' ')}; usage: npm run bench [-- NAME… --smoke]`);
  process.exit(2);
}

const rows: (Comparison & { name: string })[] = [];
for (const file of files) rows.push(...(await runFile(file)));
const missing = wanted.filter(
  (word) => !files.some(matches(word)) && !rows.some(({ name }) => name === word),
);
if (missing.length > 0) {
  console.error(`no bench is called ${missing.join(', ')}; there are ${files.map(nameOf).join(', ')}`);
  process.exit(2);
}
console.log(table(rows, smoke));
if (!smoke && rows.some(({ pass }) => !pass)) process.exitCode = 1;

function nameOf(file: string): string {
  return basename(file, suffix);
}

function matches(word: string): (file: string) => boolean {
  return (file) => nameOf(file) === word;
}

async function runFile(file: string): Promise<(Comparison & { name: string })[]> {
  const name = nameOf(file);
  // A question is called after its file: `luks-unlock`, `luks-unlock-loop-delay`.
  const asked = wanted.filter((word) => word === name || word.startsWith(`${name}-`));
  if (wanted.length > 0 && asked.length === 0) return [];
  const { bench } = (await import(new URL(file, import.meta.url).href)) as { bench: Bench };
  await using stack = new AsyncDisposableStack();
  const answers: (Comparison & { name: string })[] = [];
  for (const question of await bench.prepare(stack)) {
    if (wanted.length > 0 && !asked.includes(name) && !asked.includes(question.name)) continue;
    console.error(`${question.name}: ${question.question}`);
    const comparison = await compare(question, { smoke });
    answers.push({ ...comparison, name: question.name });
    if (smoke) continue;
    await mkdir(results, { recursive: true });
    const record = { ...comparison, machine: machineFacts() };
    await writeFile(`${results}${question.name}.json`, `${JSON.stringify(record, undefined, 2)}\n`);
  }
  return answers;
}

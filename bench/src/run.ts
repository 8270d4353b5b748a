/**
 * `npm run bench [-- NAME…] [--smoke]`: measures ours against a peer in the same run, prints one table, writes
 * `bench/results/<name>.json`, and exits 1 when a gate fails. A name is a bench file's or a question's.
 *
 * Ended early by a signal, it prints what it has: a row that has some of its rounds is `part`, and nothing of it is written.
 *
 * `--smoke` asks every question once: the answers must agree, but nothing is judged or written. Files that switch machines on are
 * asked then only when they are named.
 */
import { globSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

import { askAll, isOf, type Row } from './ask-all.ts';
import { interruption } from './interruption.ts';
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
refuse(wanted.filter((word) => !files.some((file) => isOf(nameOf(file), word))));

const signal = interruption();
const rows = await askAll(
  files.map((file) => ({ name: nameOf(file), load: () => load(file) })),
  { wanted, smoke, signal, begun: (name, question) => console.error(`${name}: ${question}`), answered: keep },
);
console.log(table(rows, smoke));
if (signal.aborted) {
  console.error(`${(signal.reason as Error).message}: not every question was asked`);
  process.exit(1); // what was begun and has had its time
}
// Questions are known by name once their file was asked.
refuse(wanted.filter((word) => !files.some(matches(word)) && !rows.some(({ name }) => name === word)));
if (!smoke && rows.some(({ pass }) => !pass)) process.exitCode = 1;

function refuse(words: readonly string[]): void {
  if (words.length === 0) return;
  console.error(`no bench is called ${words.join(', ')}; there are ${files.map(nameOf).join(', ')}`);
  process.exit(2);
}

function nameOf(file: string): string {
  return basename(file, suffix);
}

function matches(word: string): (file: string) => boolean {
  return (file) => nameOf(file) === word;
}

async function load(file: string): Promise<Bench> {
  const { bench } = (await import(new URL(file, import.meta.url).href)) as { bench: Bench };
  return bench;
}

async function keep({ name, ...comparison }: Row): Promise<void> {
  if (smoke) return;
  await mkdir(results, { recursive: true });
  const record = { ...comparison, machine: machineFacts() };
  await writeFile(`${results}${name}.json`, `${JSON.stringify(record, undefined, 2)}\n`);
}

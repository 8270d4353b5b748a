/**
 * Writes `corpus.json`: mutated documents with the findings of the reader that is given.
 * `node --conditions=source test/corpus/make-corpus.ts PATH_OF_INDEX` freezes what that reader finds; the corpus is only made
 * again when findings are meant to change.
 */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { randomFrom } from '../fixtures/mutation.ts';
import { shown, textOf, type CorpusCase, type Edit } from './case.ts';
import { sources } from './sources.ts';

type Reader = Pick<typeof import('@nodecore/config'), 'parse'>;

const values = [
  '-1 0 1 31 32 128 1e309 .nan .inf 0x1f 0o17 12345678901234567890 1.5 true null ~ "" \'\' {} [] [[]] [x] {x: 1} [7,7,0] "1"',
  'luks1 STATE EPHEMERAL LOG ext4 btrfs disk directory discard kill freeze 0s -1s 1ms 10s 1GiB 10MiB -10% 0% 101% 5 worker',
  'grpcs:// http://x a_b ../x /x a.b "\\u0000" "\\ud800" *a &a x !x x | > xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx scrub',
].flatMap((line) => line.split(' '));
const keys =
  'slot static nodeID kms tpm name kind apiVersion provisioning encryption mount trim minSize maxSize size release scrub toString'.split(
    ' ',
  );

function edit(text: string, random: (below: number) => number): Edit {
  const pick = <T>(all: readonly T[]): T | undefined => all[random(all.length)];
  const words = [...text.matchAll(/[\w.:/%-]+/gu)];
  const lines = [...text.matchAll(/^.*\n/gmu)];
  const word = pick(words);
  const line = pick(lines);
  const other = pick(lines);
  if (word === undefined || line === undefined || other === undefined) return [0, 0, 'x'];
  const indent = /^ */u.exec(line[0])?.[0].length ?? 0;
  switch (random(12)) {
    case 0:
      return [line.index, line[0].length, ''];
    case 1:
      return [line.index, 0, other[0]];
    case 2:
      return [line.index, indent, ' '.repeat(random(6))];
    case 3: {
      const field = pick([...text.matchAll(/\w+(?=:)/gu)]) ?? word;
      return [field.index, field[0].length, pick(keys) ?? ''];
    }
    case 4: {
      // A field that is not there: before another, in its style.
      const field = pick([...text.matchAll(/\w+(?=: )/gu)]) ?? word;
      const flow = /[{,] ?$/u.test(text.slice(0, field.index));
      const column = field.index - text.lastIndexOf('\n', field.index) - 1;
      const put = `${pick(keys)}: ${pick(values)}`;
      return [field.index, 0, flow ? `${put}, ` : `${put}\n${' '.repeat(column)}`];
    }
    default:
      return [word.index, word[0].length, pick(values) ?? ''];
  }
}

const path = process.argv[2];
if (path === undefined) throw new Error('which reader? the path of its index.ts');
const { parse } = (await import(pathToFileURL(resolve(path)).href)) as Reader;
const random = randomFrom(20_261_123);
const cases: CorpusCase[] = [];
const seen = new Set<string>();
while (cases.length < 2000) {
  const source = random(sources.length);
  let text = sources[source] ?? '';
  const edits: Edit[] = [];
  for (let step = random(2); step >= 0; step -= 1) {
    const one = edit(text, random);
    edits.push(one);
    text = textOf(text, [one]);
  }
  let findings: string[];
  try {
    using configuration = parse(text, { nowMs: Date.UTC(2026, 0, 1) });
    findings = shown([], configuration.warnings);
  } catch (error) {
    findings = shown((error as { problems?: [] }).problems ?? [], []);
  }
  // Of what says the same, a few are enough; broken syntax is the parser's own.
  const kind = `${source} ${findings.map((one) => one.replace(/\d+:\d+$/u, '')).join()}`;
  const times = [...seen].filter((one) => one.startsWith(`${kind}#`)).length;
  if (times > 1 || findings.some((one) => one.startsWith('yaml.'))) continue;
  seen.add(`${kind}#${times}`);
  cases.push([source, edits, findings]);
}
const out = new URL('corpus.json', import.meta.url);
await writeFile(out, `[\n${cases.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`);

import test from 'ava';

import { SelectorError, compileVolumeSelector } from '@nodecore/selector';
import { coreCases } from './cel-spec-cases.ts';
import { someDisk } from './some-disk.ts';
import { someVolume } from './some-volume.ts';

const rounds = 20_000;
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_122);

const selectors = [
  'disk.transport == "nvme" && !system_disk && disk.size > 120u * GB',
  'disk.symlinks.exists(s, s.startsWith("/dev/disk/by-id/wwn-")) || glob("WD*", disk.model)',
  'volume.partition_label == "META" && volume.name in ["", "metafs"] && volume.size == 1048576u',
  'disk.model.matches("(?i)^wd_[a-z]+") ? disk.size / 2 > 5 : has(disk.uuid)',
  'timestamp("2009-02-13T23:31:30Z").getHours(disk.model) == 0 || {disk.serial: 1}[disk.serial] == 1',
  'disk.symlinks.map(s, s + s).filter(s, size(s) > 3).all(s, s.split("/").join("-") != "")',
];
/** What is put in: pieces that belong together with others, that nest, and that are at an edge. */
const pieces = [
  '( ) [ ] { } . , : ? ! - + * / % && || == != < >= in ` " \' """ \\ \\x r" b\' // 1u 0x 1e9 .5 9223372036854775808 18446744073709551615u',
  'disk volume system_disk disk.size volume.label disk.symlinks dyn(disk) null true [] {} [1] {1:1} .all(x,x) .exists(s, .map(a,a) has(',
  '.matches( .size() size( int( uint( string( duration( timestamp( .getHours( .orValue( optional.none() \u{1F600} \0 \uD800 _ constructor __proto__',
].flatMap((line) => line.split(' '));

/** The same numbers for the same seed (mulberry32). */
function randomFrom(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function mutate(text: string, corpus: readonly string[], random: (below: number) => number): string {
  const [from, to] = [random(text.length + 1), random(text.length + 1)].sort((left, right) => left - right);
  const [before, within, behind] = [text.slice(0, from), text.slice(from, to), text.slice(to)];
  const other = corpus[random(corpus.length)] ?? '';
  const piece = pieces[random(pieces.length)] ?? '';
  const ways = [
    before + behind,
    before + piece + behind,
    `${before}${piece}${within}${piece}${behind}`,
    before + within.repeat(1 + random(20)) + behind,
    `${text} ${piece} ${other}`,
    `[${text}].all(x, ${other})`,
    `(${text}) ? ${other} : ${text}`,
    text.slice(0, from) + other.slice(random(other.length + 1)),
  ];
  return ways[random(ways.length)] ?? text;
}

test('compiling throws nothing but a SelectorError with its place, and matching throws nothing at all', async (t) => {
  const disk = someDisk();
  const environment = { disk, volume: someVolume(), systemDisk: true };
  const corpus = [...selectors, ...(await coreCases()).map(({ expr }) => expr)];
  const random = randomFrom(seed);
  let compiled = 0;
  let answered = 0;
  for (let round = 0; round < rounds; round += 1) {
    let text = corpus[random(corpus.length)] ?? '';
    for (let times = 1 + random(3); times > 0; times -= 1) text = mutate(text, corpus, random);
    // What most of the corpus comes to is no answer: asked whether it is itself, it is one.
    if (random(2) === 0) text = `(${text}) == (${text})`;
    try {
      const selector = compileVolumeSelector(text);
      compiled += 1;
      const { matched, error } = selector.matches(environment);
      if (error === undefined) answered += 1;
      else if (matched || !/\(line \d+, column \d+\)$|^costs too much/u.test(error))
        throw new TypeError(`an error that nobody meant: ${error}`);
      const explained = selector.explain(environment);
      if (explained.matched !== matched) throw new TypeError('two answers');
    } catch (error) {
      const lines = text.split('\n');
      const isPlaced =
        error instanceof SelectorError &&
        error.line >= 1 &&
        error.line <= lines.length &&
        error.column >= 1 &&
        error.column <= (lines[error.line - 1]?.length ?? 0) + 1;
      if (!isPlaced || /can not be compiled/u.test(error.reason))
        throw new Error(`seed ${seed}, round ${round}: ${JSON.stringify(text)}`, { cause: error });
    }
  }
  t.log(`seed ${seed}: ${compiled} of ${rounds} compiled, ${answered} had an answer`);
  t.true(compiled > rounds / 20 && answered > rounds / 50);
});

import test from 'ava';

import { BpfError, check, explain, formOf, forms, parse, print, program, run } from '../src/index.ts';
import { Random } from './random.ts';
import { randomProgram } from './random-program.ts';

// Most inputs end in an error, and nobody reads where it was thrown.
Error.stackTraceLimit = 0;

const pieces = [
  'ld ldh ldb ldx ldxb ldi st stx ja jeq jne jlt jset add div lsh neg ret tax txa unimp',
  'x a M len #len proto vlan_tci L1 L1: jt jf (000) (001)',
  '[ ] ( ) { } + - * & # % , : ; /* */ //',
  '0 1 4 7 0x800 0xffffffff 0x100000000 0b1 017 089 -1 4096',
  '\0 é \u{1f600} " \' \\ $',
]
  .flatMap((line) => line.split(' '))
  .concat('\n', '\t', ' ', '{ 6, 0, 0, 0 },');

/** Anything: pieces of instructions in any order, or a good text with some characters exchanged. */
function randomText(random: Random, good: readonly string[]): string {
  if (random.oneIn(2))
    return Array.from({ length: random.below(16) }, () => random.pick(pieces)).join(random.pick(['', ' ']));
  const characters = random.pick(good).split('');
  for (let times = 1 + random.below(4); times > 0; times -= 1) {
    characters.splice(random.below(characters.length), random.below(3), random.pick(pieces));
  }
  return characters.join('');
}

test('a million texts are read or refused with line and column, none with another error', (t) => {
  const random = new Random(11);
  const good = Array.from({ length: 40 }, () =>
    print(program(randomProgram(random, { length: 5 })), random.pick(forms)),
  );
  let read = 0;
  for (let round = 0; round < 1_000_000; round += 1) {
    const text = randomText(random, good);
    const form = round % 4 === 0 ? formOf(text) : random.pick(forms);
    try {
      const made = parse(text, form);
      read += 1;
      if (check(made).length > 0) throw new Error(text);
    } catch (error) {
      if (!(error instanceof BpfError)) throw new Error(`on ${JSON.stringify(text)}`, { cause: error });
      const isPlaced =
        error.line !== undefined && error.column !== undefined && error.line > 0 && error.column > 0;
      const isWhole = error.code === 'ERR_BPF_INVALID' && error.instruction === undefined;
      if (!isPlaced && !isWhole) throw new Error(text, { cause: error });
    }
  }
  t.true(read > 2000, `${read}`);
});

test('a million programs are checked, and run when they are good', (t) => {
  const random = new Random(12);
  const packets = Array.from({ length: 64 }, () => random.bytes(random.below(100)));
  let good = 0;
  for (let round = 0; round < 1_000_000; round += 1) {
    const list = randomProgram(random, { length: 8 });
    const index = random.below(list.length);
    const instruction = list[index];
    if (instruction !== undefined && random.oneIn(2)) {
      list[index] = { ...instruction, [random.pick(['code', 'k', 'jt', 'jf'])]: random.constant() & 0xff };
    }
    const problems = check(list);
    if (problems.length > 0) continue;
    good += 1;
    const result = run(program(list), random.pick(packets));
    if (!Number.isInteger(result) || result < 0 || result > 0xffffffff) throw new Error(`${result}`);
  }
  t.true(good > 300_000, `${good}`);
});

test('random programs are explained without an error', (t) => {
  const random = new Random(13);
  for (let round = 0; round < 3000; round += 1) {
    const made = program(randomProgram(random, { length: 60 }));
    const { text } = explain(made, { linkType: random.pick(['EN10MB', 'RAW', 'LINUX_SLL2', 'PPP']) });
    if (text === '') throw new Error(print(made, 'disassembly'));
  }
  t.pass();
});

test('a text of a million characters is refused at once', (t) => {
  for (const piece of [
    '((((((((((',
    'ret # ;;;;',
    'L:        ',
    '1,1,1,1,1,',
    '/*//*//*//',
    '{{{{{{{{{{',
    '\n\n\n\n\n\n\n\n\n\n',
  ]) {
    const text = piece.repeat(100_000);
    for (const form of forms) t.throws(() => parse(text, form), { instanceOf: BpfError }, `${form} ${piece}`);
  }
});

import test from 'ava';

import {
  both,
  compile,
  forDatagramSocket,
  parse,
  print,
  type Program,
  program,
  run,
  withSnapLength,
} from '../src/index.ts';
import { corpus } from './corpus.ts';
import { filters } from './filters.ts';
import { Random } from './random.ts';
import { randomProgram } from './random-program.ts';

// Without an interface, asking for it ends a program, whatever is joined to it.
const context = { interfaceIndex: 1, hardwareType: 1 };

function randomPrograms(random: Random, count: number, length: number): readonly Program[] {
  return Array.from({ length: count }, () => program(randomProgram(random, { length })));
}

test('both wants what the second wants where the first wants anything', (t) => {
  const random = new Random(1);
  for (const first of randomPrograms(random, 400, 60)) {
    const [second = first] = randomPrograms(random, 1, 60);
    const joined = both(first, second);
    for (let round = 0; round < 20; round += 1) {
      const bytes = random.bytes(random.below(120));
      const expected = run(first, bytes, context) === 0 ? 0 : run(second, bytes, context);
      if (run(joined, bytes, context) !== expected) throw new Error(print(joined, 'disassembly'));
    }
  }
  t.pass();
});

test('both starts the second from registers that are zero', (t) => {
  const first = parse('ldi 7\ntax\nret #1');
  t.is(run(both(first, parse('ret a')), new Uint8Array()), 0);
  t.is(run(both(first, parse('txa\nret a')), new Uint8Array()), 0);
});

test('targets more than 255 instructions away are still reached', (t) => {
  const first = parse(`ld [0]\njeq #1, yes, no\nyes: ret #1\n${'tax\n'.repeat(200)}no: ret #2`);
  const second = parse(`ld [0]\njeq #1, yes, no\nyes: ret a\n${'tax\n'.repeat(253)}no: ret #0`);
  const joined = both(both(first, second), withSnapLength(second, 5));
  t.is(run(joined, Uint8Array.of(0, 0, 0, 1)), 1);
  t.is(run(joined, Uint8Array.of(0, 0, 0, 2)), 0);
  t.throws(() => both(parse(`${'tax\n'.repeat(4000)}ret #1`), parse(`${'tax\n'.repeat(100)}ret #1`)), {
    code: 'ERR_BPF_INVALID',
  });
});

test('a snap length is the most that any packet gives', (t) => {
  const random = new Random(2);
  for (const made of randomPrograms(random, 400, 60)) {
    const limit = 1 + random.below(100);
    const short = withSnapLength(made, limit);
    for (let round = 0; round < 20; round += 1) {
      const bytes = random.bytes(random.below(120));
      if (run(short, bytes, context) !== Math.min(limit, run(made, bytes, context)))
        throw new Error(print(made, 'disassembly'));
    }
  }
  t.throws(() => withSnapLength(parse('ret #1'), 0), { instanceOf: RangeError });
});

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

test('on a datagram socket a program for SLL2 accepts what it accepts with the header before the packet', async (t) => {
  const samples = corpus(new Random(3), 400, 'LINUX_SLL2').filter(({ bytes }) => bytes.length >= 20);
  let tried = 0;
  const refused: string[] = [];
  for (const filter of filters) {
    const made = await compile(filter, { linkType: 'LINUX_SLL2' }).catch(() => undefined);
    if (made === undefined) continue;
    const cooked = attempt(() => forDatagramSocket(made));
    if (cooked === undefined) {
      refused.push(filter);
      continue;
    }
    tried += 1;
    for (const { bytes } of samples) {
      const header = new DataView(bytes.buffer, bytes.byteOffset, 20);
      const context = {
        protocol: header.getUint16(0),
        interfaceIndex: header.getUint32(4),
        hardwareType: header.getUint16(8),
        packetType: header.getUint8(10),
      };
      const [expected, given] = [run(made, bytes), run(cooked, bytes.subarray(20), context)];
      if ((expected === 0) !== (given === 0)) throw new Error(`${filter}: ${print(cooked, 'disassembly')}`);
    }
  }
  t.true(tried > 150, `${tried}`);
  t.true(
    refused.every((filter) => /^(ether\[|link\[|geneve)/.test(filter)),
    refused.join('\n'),
  );
});

test('a program that looks at the address in the SLL2 header can not run on a datagram socket', (t) => {
  const error = t.throws(() => forDatagramSocket(parse('ldb [12]\nret a')), { code: 'ERR_BPF_INVALID' });
  t.is(error?.message, "bpf: instruction 0, ldb [12]: the kernel doesn't have the SLL2 header it looks into");
  t.throws(() => forDatagramSocket(parse('ldh [4]\nret a')), { code: 'ERR_BPF_INVALID' });
  t.throws(() => forDatagramSocket(parse('ldx len\nret a')), { code: 'ERR_BPF_INVALID' });
});

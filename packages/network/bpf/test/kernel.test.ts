import test from 'ava';

import { extension } from '../src/extension.ts';
import { check, compile, encode, type Instruction, print, program, run } from '../src/index.ts';
import { code } from '../src/opcode.ts';
import { corpus } from './corpus.ts';
import { filters } from './filters.ts';
import { KernelFilter } from './kernel.ts';
import { Random } from './random.ts';
import { randomProgram } from './random-program.ts';
import { toStructs } from './struct.ts';

// A socket of the unix domain has no link-layer header to count from.
const unix = { linkOffset: -(1 << 21) };
// These depend on the processor, on chance, and on how the kernel dissects a packet that is none.
const { cpu: _cpu, random: _random, payloadOffset: _payloadOffset, ...knowable } = extension;

function plain(number: number, k: number): Instruction {
  return { code: number, jt: 0, jf: 0, k };
}

/** Ends that show eight bits of the accumulator: the kernel only tells how many bytes arrive. */
function observable(random: Random, instructions: readonly Instruction[]): Instruction[] {
  const last = instructions.at(-1);
  if (last?.code !== code.retA) return [...instructions];
  const ending = [plain(code.rsh, random.below(4) * 8), plain(code.and, 0xff), plain(code.add, 1), last];
  return [...instructions.slice(0, -1), ...ending];
}

test('random programs give what the kernel gives', (t) => {
  const random = new Random(20_261);
  using kernel = new KernelFilter();
  let accepted = 0;
  for (let round = 0; round < 10_000; round += 1) {
    const made = randomProgram(random, { length: 40, extensions: Object.values(knowable) });
    const list = program(observable(random, made));
    if (!kernel.attach(encode(list))) throw new Error(print(list, 'disassembly'));
    for (let packet = 0; packet < 4; packet += 1) {
      const bytes = random.bytes(1 + random.below(400));
      const expected = kernel.run(bytes);
      if (expected > 0) accepted += 1;
      const given = Math.min(bytes.length, run(list, bytes, unix));
      if (given !== expected) {
        throw new Error(
          `${given}, the kernel ${expected}, of ${bytes.length}:\n${print(list, 'disassembly')}`,
        );
      }
    }
  }
  t.true(accepted > 20_000, `${accepted}`);
});

test('compiled filters accept in the kernel what they accept here', async (t) => {
  const random = new Random(7);
  using kernel = new KernelFilter();
  const samples = corpus(random, 150, 'EN10MB').filter(({ bytes }) => bytes.length > 0);
  for (const filter of filters) {
    const list = await compile(filter, { netmask: '255.255.255.0' }).catch(() => undefined);
    if (list === undefined) continue;
    t.true(kernel.attach(encode(list)), filter);
    for (const { bytes } of samples) {
      const given = Math.min(bytes.length, run(list, bytes, unix));
      if (given !== kernel.run(bytes)) t.fail(`${filter}: ${Buffer.from(bytes).toString('hex')}`);
    }
  }
});

/** A program with something wrong in it, mostly. */
function damaged(random: Random): readonly Instruction[] {
  const list = randomProgram(random, { length: 12 });
  for (let times = random.below(3); times >= 0; times -= 1) {
    const index = random.below(list.length);
    const instruction = list[index];
    if (instruction === undefined) continue;
    const changes: readonly Partial<Instruction>[] = [
      { code: random.below(random.oneIn(3) ? 65_536 : 256) },
      { k: random.constant() },
      { jt: random.below(20) },
      { jf: random.below(20) },
      { code: random.pick([code.ldMemory, code.ldxMemory]), k: random.below(18) },
      { code: code.ldb, k: 0xfffff000 + random.below(80) },
      { code: code.ja, k: random.below(14) },
    ];
    list[index] = { ...instruction, ...random.pick(changes) };
  }
  return list;
}

test('the kernel refuses exactly the programs that have a problem', (t) => {
  const random = new Random(4);
  using kernel = new KernelFilter();
  let refused = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const list = damaged(random);
    const problems = check(list);
    if (problems.length > 0) refused += 1;
    if (kernel.attach(toStructs(list)) !== (problems.length === 0)) {
      throw new Error(`${JSON.stringify(problems)} ${JSON.stringify(list)}`);
    }
  }
  t.true(refused > 5000 && refused < 19_000, `${refused}`);
});

function long(count: number): readonly Instruction[] {
  return [...Array.from({ length: count - 1 }, () => plain(code.tax, 0)), plain(code.ret, 1)];
}

test('4096 instructions are taken, one more is not', (t) => {
  using kernel = new KernelFilter();
  t.deepEqual(check(long(4096)), []);
  t.true(kernel.attach(toStructs(long(4096))));
  t.is(check(long(4097))[0]?.message, 'the program has 4097 instructions; the kernel takes at most 4096');
  t.false(kernel.attach(toStructs(long(4097))));
});

import test from 'ava';

import { BpfError, check, type Instruction, isProgram, program } from '../src/index.ts';
import { code, withX } from '../src/opcode.ts';

function instruction(number: number, k = 0, jt = 0, jf = 0): Instruction {
  return { code: number, jt, jf, k };
}

const end = instruction(code.ret);

const refused: readonly (readonly [string, readonly Instruction[]])[] = [
  ['the program has no instructions', []],
  ['instruction 0, ld [12]: the last instruction must return (ret)', [instruction(code.ld, 12)]],
  ['instruction 0, code 0x9f: there is no such instruction', [instruction(0x9f), end]],
  ['instruction 0, code 0xe: there is no such instruction', [instruction(code.ret + withX), end]],
  ['instruction 0, code 0xfe20: there is no such instruction', [instruction(0xfe20), end]],
  ['instruction 0, div #0: it divides by zero', [instruction(code.div), end]],
  ['instruction 0, mod #0: it divides by zero', [instruction(code.mod), end]],
  ['instruction 0, lsh #32: it shifts by more than 31 bits', [instruction(code.lsh, 32), end]],
  ['instruction 0, rsh #-1: it shifts by more than 31 bits', [instruction(code.rsh, 0xffffffff), end]],
  ['instruction 0, st M[16]: scratch memory ends with M[15]', [instruction(code.st, 16), end]],
  [
    'instruction 0, ldb [-4095]: the kernel keeps nothing at 0xfffff001 (-4095)',
    [instruction(code.ldb, 0xfffff001), end],
  ],
  [
    'instruction 0, ldx M[3]: M[3] is read, but not every way here has written it',
    [instruction(code.ldxMemory, 3), end],
  ],
  ['instruction 0, ja: it jumps to 2, behind the last instruction, 1', [instruction(code.ja, 1), end]],
  ['instruction 0, ja: it jumps backwards, to -1', [instruction(code.ja, 0xfffffffe), end]],
  [
    'instruction 0, jeq #0x5: it jumps to 4, behind the last instruction, 1',
    [instruction(code.jeq, 5, 0, 3), end],
  ],
  [
    'instruction 0, jset x: it jumps to 256, behind the last instruction, 1',
    [instruction(code.jset + withX, 0, 255), end],
  ],
  ['instruction 0, ja: k is not an unsigned number of 32 bits', [instruction(code.ja, -1), end]],
  ['instruction 0, jeq #0x0: jt is not an unsigned number of 8 bits', [instruction(code.jeq, 0, 256), end]],
  [
    'instruction 0, jeq #0x0: jf is not an unsigned number of 8 bits',
    [instruction(code.jeq, 0, 0, 0.5), end],
  ],
  ['instruction 0, code 0x10006: its code is not an unsigned number of 16 bits', [instruction(0x10006)]],
];

for (const [message, list] of refused) {
  test(`refused: ${message}`, (t) => {
    t.is(check(list)[0]?.message, message);
    const error = t.throws(() => program(list), { instanceOf: BpfError, code: 'ERR_BPF_INVALID' });
    t.is(error?.message, `bpf: ${message}`);
    t.is(error?.instruction, list.length === 0 ? undefined : 0);
  });
}

test('every problem is told, not only the first', (t) => {
  const list = [instruction(code.div), instruction(0xff), instruction(code.ld)];
  t.deepEqual(
    check(list).map((problem) => problem.instruction),
    [0, 1, 2],
  );
});

test('a word of scratch memory must be written on every way to its reader', (t) => {
  const branch = [
    instruction(code.jeq, 1, 0, 1),
    instruction(code.st, 2),
    instruction(code.ldMemory, 2),
    end,
  ];
  t.is(check(branch)[0]?.instruction, 2);
  t.deepEqual(check([instruction(code.st, 2), ...branch]), []);
});

test('a program is frozen, and only what was made by us is one', (t) => {
  const list = [instruction(code.ret, 5)];
  const made = program(list);
  t.true(Object.isFrozen(made) && made.every((entry) => Object.isFrozen(entry)));
  list[0] = instruction(code.ld);
  t.is(made[0]?.code, code.ret);
  t.true(isProgram(made));
  t.false(isProgram([...made]));
  t.false(isProgram(undefined));
});

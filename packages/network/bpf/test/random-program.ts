import { extensions } from '../src/extension.ts';
import type { Instruction } from '../src/instruction.ts';
import { code, opcodes } from '../src/opcode.ts';
import type { Random } from './random.ts';

export type Shape = {
  /** Most instructions before the last one. */
  readonly length: number;
  /** Extensions that may be loaded; all by default. */
  readonly extensions?: readonly number[];
};

/** A program that the kernel takes, from every opcode there is; fields that mean nothing are 0. */
export function randomProgram(random: Random, shape: Shape): Instruction[] {
  const names = shape.extensions ?? extensions.map((extension) => extension.k);
  const count = 1 + random.below(shape.length);
  const stored: number[] = [];
  const list: Instruction[] = [];
  // Words that are stored before the first branch are there wherever a path goes.
  for (let index = 0; index < 4 && index < count - 1; index += 1) {
    const k = random.below(16);
    stored.push(k);
    list.push({ code: random.pick([code.st, code.stx]), jt: 0, jf: 0, k });
  }
  while (list.length < count) list.push(randomInstruction(random, count - list.length, stored, names));
  const last = random.pick([code.ret, code.retA]);
  list.push({ code: last, jt: 0, jf: 0, k: last === code.ret ? random.constant() : 0 });
  return list;
}

function randomInstruction(
  random: Random,
  left: number,
  stored: readonly number[],
  names: readonly number[],
): Instruction {
  const opcode = random.pick(opcodes);
  const plain = (k: number): Instruction => ({ code: opcode.code, jt: 0, jf: 0, k });
  if (opcode.branches) {
    const jt = random.below(Math.min(left, 256));
    const jf = random.below(Math.min(left, 256));
    const k = opcode.operand === 'constant' ? random.constant() : 0;
    return { code: opcode.code, jt, jf, k };
  }
  if (opcode.code === code.ja) return plain(random.below(left));
  if (opcode.mnemonic === 'ret' && !random.oneIn(4)) return randomInstruction(random, left, stored, names);
  if (opcode.operand === 'memory') {
    const isStore = opcode.code === code.st || opcode.code === code.stx;
    if (isStore) return plain(random.below(16));
    return stored.length === 0 ? { code: code.txa, jt: 0, jf: 0, k: 0 } : plain(random.pick(stored));
  }
  if (opcode.operand === 'absolute') {
    if (names.length > 0 && random.oneIn(4)) return plain(random.pick(names));
    return plain(random.oneIn(50) ? random.pick([0x7ffffffe, 0x80000000, 0xffdfffff]) : random.below(80));
  }
  if (opcode.operand === 'header' || opcode.operand === 'indirect') return plain(random.below(80));
  if (opcode.operand !== 'constant') return plain(0);
  if (opcode.code === code.lsh || opcode.code === code.rsh) return plain(random.below(32));
  const k = random.constant();
  return plain((opcode.code === code.div || opcode.code === code.mod) && k === 0 ? 7 : k);
}

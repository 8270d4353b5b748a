import { describe } from './describe.ts';
import { extensionBase, extensionOf } from './extension.ts';
import { hexadecimal, type Instruction, largestProgram, scratchWords, signed } from './instruction.ts';
import { branches, code, opcodeOf } from './opcode.ts';

/** Why the kernel would refuse a program. */
export type Problem = {
  /** Index of the instruction, counted from 0; undefined when the program as a whole is at fault. */
  readonly instruction: number | undefined;
  /** Which instruction and why, for people. */
  readonly message: string;
};

/**
 * What the kernel would refuse (net/core/filter.c, bpf_check_classic and check_load_and_stores), said before it does
 * and with a reason for each instruction. Empty: SO_ATTACH_FILTER takes the program.
 */
export function check(instructions: readonly Instruction[]): readonly Problem[] {
  const count = instructions.length;
  if (count === 0) return [whole('the program has no instructions')];
  if (count > largestProgram) {
    return [whole(`the program has ${count} instructions; the kernel takes at most ${largestProgram}`)];
  }
  const problems: Problem[] = [];
  for (const [index, instruction] of instructions.entries()) {
    const reason =
      rangeProblem(instruction) ?? ownProblem(instruction) ?? jumpProblem(instruction, index, count);
    if (reason !== undefined) problems.push(at(index, instruction, reason));
  }
  const last = instructions[count - 1];
  if (last !== undefined && last.code !== code.ret && last.code !== code.retA) {
    problems.push(at(count - 1, last, 'the last instruction must return (ret)'));
  }
  // Following a jump out of the program, or numbering scratch memory that is not there, makes no sense.
  return problems.length > 0 ? problems : scratchProblems(instructions);
}

function whole(message: string): Problem {
  return { instruction: undefined, message };
}

function at(index: number, instruction: Instruction, reason: string): Problem {
  return { instruction: index, message: `instruction ${index}, ${describe(instruction)}: ${reason}` };
}

function isUnsigned(value: number, largest: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= largest;
}

function rangeProblem({ code, jt, jf, k }: Instruction): string | undefined {
  if (!isUnsigned(code, 0xffff)) return 'its code is not an unsigned number of 16 bits';
  if (!isUnsigned(jt, 0xff)) return 'jt is not an unsigned number of 8 bits';
  if (!isUnsigned(jf, 0xff)) return 'jf is not an unsigned number of 8 bits';
  return isUnsigned(k, 0xffffffff) ? undefined : 'k is not an unsigned number of 32 bits';
}

/** What is wrong with an instruction wherever it stands. */
function ownProblem({ code: number, k }: Instruction): string | undefined {
  const opcode = opcodeOf(number);
  if (opcode === undefined) return 'there is no such instruction';
  const { operand } = opcode;
  if (operand === 'absolute' && k >= extensionBase && extensionOf(k) === undefined) {
    return `the kernel keeps nothing at ${hexadecimal(k)} (${signed(k)})`;
  }
  if (operand === 'memory' && k >= scratchWords) return `scratch memory ends with M[${scratchWords - 1}]`;
  if ((number === code.div || number === code.mod) && k === 0) return 'it divides by zero';
  if ((number === code.lsh || number === code.rsh) && k > 31) return 'it shifts by more than 31 bits';
  return undefined;
}

function jumpProblem(
  { code: number, jt, jf, k }: Instruction,
  index: number,
  count: number,
): string | undefined {
  if (number === code.ja && k >= count - index - 1) {
    if (signed(k) < 0) return `it jumps backwards, to ${index + 1 + signed(k)}`;
    return outside(index + 1 + k, count);
  }
  if (!branches(number)) return undefined;
  if (index + 1 + jt >= count) return outside(index + 1 + jt, count);
  return index + 1 + jf >= count ? outside(index + 1 + jf, count) : undefined;
}

function outside(target: number, count: number): string {
  return `it jumps to ${target}, behind the last instruction, ${count - 1}`;
}

/**
 * Reads of scratch memory that no path before has written. A bit per word; what reaches an instruction is what all
 * ways to it have in common.
 */
function scratchProblems(instructions: readonly Instruction[]): readonly Problem[] {
  const problems: Problem[] = [];
  const arriving = new Uint16Array(instructions.length).fill(0xffff);
  const meet = (target: number, words: number) => {
    arriving[target] = (arriving[target] ?? 0) & words;
  };
  let written = 0;
  for (const [index, instruction] of instructions.entries()) {
    const { code: number, jt, jf, k } = instruction;
    written &= arriving[index] ?? 0;
    if (number === code.st || number === code.stx) {
      written |= 1 << k;
    } else if (number === code.ldMemory || number === code.ldxMemory) {
      if ((written & (1 << k)) === 0) {
        problems.push(at(index, instruction, `M[${k}] is read, but not every way here has written it`));
      }
    } else if (number === code.ja) {
      meet(index + 1 + k, written);
      written = 0xffff;
    } else if (branches(number)) {
      meet(index + 1 + jt, written);
      meet(index + 1 + jf, written);
      written = 0xffff;
    }
    // Behind a ret the kernel goes on with what was written before it, as if the return could be passed. So do we.
  }
  return problems;
}

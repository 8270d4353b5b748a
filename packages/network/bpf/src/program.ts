import { check } from './check.ts';
import { BpfError } from './errors.ts';
import type { Instruction } from './instruction.ts';
import { type Operand, opcodeOf } from './opcode.ts';

declare const brand: unique symbol;

/** An immutable list of instructions that the kernel accepts. The only ways to get one check it. */
export type Program = readonly Instruction[] & { readonly [brand]: 'bpf program' };

const made = new WeakSet<readonly Instruction[]>();

/**
 * A program from its instructions, which are copied.
 *
 * @throws {BpfError} `ERR_BPF_INVALID` with the first instruction that the kernel would refuse; {@link check} has all.
 */
export function program(instructions: readonly Instruction[]): Program {
  const [problem] = check(instructions);
  if (problem !== undefined) {
    const { instruction, message } = problem;
    throw new BpfError('ERR_BPF_INVALID', message, instruction === undefined ? {} : { instruction });
  }
  const list = Object.freeze(instructions.map(({ code, jt, jf, k }) => Object.freeze({ code, jt, jf, k })));
  made.add(list);
  return list as unknown as Program;
}

/** Whether a value is a program that was made, and therefore checked, here. */
export function isProgram(value: unknown): value is Program {
  return Array.isArray(value) && made.has(value as readonly Instruction[]);
}

/**
 * Whether two programs have the same instructions. Fields that an instruction doesn't use don't count: the disassembly
 * doesn't show them, and the kernel doesn't look at them. Whether two programs do the same is for `compare`.
 */
export function equal(first: Program, second: Program): boolean {
  return (
    first.length === second.length && first.every((instruction, index) => same(instruction, second[index]))
  );
}

const withoutConstant: readonly Operand[] = ['none', 'x', 'length', 'accumulator'];

function same(a: Instruction, b: Instruction | undefined): boolean {
  const opcode = opcodeOf(a.code);
  if (b === undefined || opcode === undefined || a.code !== b.code) return false;
  if (opcode.branches && (a.jt !== b.jt || a.jf !== b.jf)) return false;
  return a.k === b.k || withoutConstant.includes(opcode.operand);
}

const sizeofInstruction = 8;

/** The array of `struct sock_filter` that SO_ATTACH_FILTER wants, little-endian. */
export function encode(list: Program): Uint8Array {
  const bytes = new Uint8Array(list.length * sizeofInstruction);
  const view = new DataView(bytes.buffer);
  for (const [index, { code, jt, jf, k }] of list.entries()) {
    const offset = index * sizeofInstruction;
    view.setUint16(offset, code, true);
    view.setUint8(offset + 2, jt);
    view.setUint8(offset + 3, jf);
    view.setUint32(offset + 4, k, true);
  }
  return bytes;
}

/**
 * The program in an array of `struct sock_filter`, little-endian.
 *
 * @throws {BpfError} `ERR_BPF_INVALID`
 */
export function decode(bytes: Uint8Array): Program {
  return program(instructionsIn(bytes));
}

/** They are not checked. @throws {BpfError} `ERR_BPF_INVALID` for half an instruction. */
export function instructionsIn(bytes: Uint8Array): readonly Instruction[] {
  if (bytes.byteLength % sizeofInstruction !== 0) {
    throw new BpfError('ERR_BPF_INVALID', `${bytes.byteLength} bytes are not a whole number of instructions`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.byteLength / sizeofInstruction;
  return Array.from({ length: count }, (_, index) => ({
    code: view.getUint16(index * sizeofInstruction, true),
    jt: view.getUint8(index * sizeofInstruction + 2),
    jf: view.getUint8(index * sizeofInstruction + 3),
    k: view.getUint32(index * sizeofInstruction + 4, true),
  }));
}

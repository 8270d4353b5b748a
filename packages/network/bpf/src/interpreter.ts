import type { Context } from './context.ts';
import { extensionBase, linkBase, networkBase } from './extension.ts';
import { scratchWords } from './instruction.ts';
import { loadExtension } from './load-extension.ts';
import { code, withX } from './opcode.ts';
import type { Program } from './program.ts';

/** Four numbers for each instruction: code, k, and where both branches go on, in this array. */
type Prepared = Int32Array;

const preparedPrograms = new WeakMap<Program, Prepared>();
const nothing: Context = {};
// A checked program reads no word that it has not written: the words of the last run may stay.
const scratch = new Int32Array(scratchWords);

/** An offset that no packet has. */
const outside = -1;

/**
 * Runs a program on a packet with the kernel's semantics (net/core/filter.c) and returns how many bytes of the packet
 * it wants, unsigned; 0 refuses it. A load outside the packet and a division by zero return 0.
 *
 * @param bytes the packet from its link-layer header on, as a socket of type SOCK_RAW sees it.
 */
export function run(program: Program, bytes: Uint8Array, context: Context = nothing): number {
  let prepared = preparedPrograms.get(program);
  if (prepared === undefined) {
    prepared = prepare(program);
    preparedPrograms.set(program, prepared);
  }
  return execute(prepared, bytes, context) >>> 0;
}

/** Whether the program wants any of the packet. */
export function accepts(program: Program, bytes: Uint8Array, context: Context = nothing): boolean {
  return run(program, bytes, context) !== 0;
}

function prepare(program: Program): Prepared {
  const list = new Int32Array(program.length * 4);
  for (const [index, { code: number, jt, jf, k }] of program.entries()) {
    const next = (index + 1) * 4;
    list.set([number, k, number === code.ja ? next + k * 4 : next + jt * 4, next + jf * 4], index * 4);
  }
  return list;
}

/** Accumulator and index register are signed here, as JavaScript's bit operations are; comparisons make them unsigned. */
function execute(program: Prepared, bytes: Uint8Array, context: Context): number {
  let a = 0;
  let x = 0;
  for (let at = 0; ;) {
    const number = program[at] as number;
    const k = program[at + 1] as number;
    const next = at + 4;
    switch (number) {
      case code.ld:
      case code.ldh:
      case code.ldb: {
        if (k >>> 0 >= extensionBase) {
          const value = loadExtension(k >>> 0, a, x, bytes, context);
          if (value === undefined) return a;
          a = value | 0;
        } else {
          const offset = k >= 0 ? k : negative(k, context);
          const size = number === code.ld ? 4 : number === code.ldh ? 2 : 1;
          if (offset < 0 || offset + size > bytes.length) return 0;
          a = load(bytes, offset, size);
        }
        break;
      }
      case code.ldIndirect:
      case code.ldhIndirect:
      case code.ldbIndirect: {
        const sum = (x + k) | 0;
        const offset = sum >= 0 ? sum : negative(sum, context);
        const size = number === code.ldIndirect ? 4 : number === code.ldhIndirect ? 2 : 1;
        if (offset < 0 || offset + size > bytes.length) return 0;
        a = load(bytes, offset, size);
        break;
      }
      case code.ldConstant:
        a = k;
        break;
      case code.ldMemory:
        a = scratch[k] as number;
        break;
      case code.ldLength:
        a = (context.length ?? bytes.length) | 0;
        break;
      case code.ldxConstant:
        x = k;
        break;
      case code.ldxMemory:
        x = scratch[k] as number;
        break;
      case code.ldxLength:
        x = (context.length ?? bytes.length) | 0;
        break;
      case code.ldxHeader: {
        const offset = k >= 0 ? k : negative(k, context);
        if (offset < 0 || offset >= bytes.length) return 0;
        x = ((bytes[offset] as number) & 0xf) << 2;
        break;
      }
      case code.st:
        scratch[k] = a;
        break;
      case code.stx:
        scratch[k] = x;
        break;
      case code.ja:
        at = program[at + 2] as number;
        continue;
      case code.jeq:
        at = program[a === k ? at + 2 : at + 3] as number;
        continue;
      case code.jgt:
        at = program[a >>> 0 > k >>> 0 ? at + 2 : at + 3] as number;
        continue;
      case code.jge:
        at = program[a >>> 0 >= k >>> 0 ? at + 2 : at + 3] as number;
        continue;
      case code.jset:
        at = program[(a & k) !== 0 ? at + 2 : at + 3] as number;
        continue;
      case code.jeq + withX:
        at = program[a === x ? at + 2 : at + 3] as number;
        continue;
      case code.jgt + withX:
        at = program[a >>> 0 > x >>> 0 ? at + 2 : at + 3] as number;
        continue;
      case code.jge + withX:
        at = program[a >>> 0 >= x >>> 0 ? at + 2 : at + 3] as number;
        continue;
      case code.jset + withX:
        at = program[(a & x) !== 0 ? at + 2 : at + 3] as number;
        continue;
      case code.ret:
        return k;
      case code.retA:
        return a;
      case code.tax:
        x = a;
        break;
      case code.txa:
        a = x;
        break;
      case code.div + withX:
      case code.mod + withX:
        if (x === 0) return 0;
        a = calculate(number, a, x);
        break;
      default:
        a = calculate(number, a, (number & withX) === 0 ? k : x);
    }
    at = next;
  }
}

function calculate(number: number, a: number, operand: number): number {
  switch (number & ~withX) {
    case code.add:
      return (a + operand) | 0;
    case code.sub:
      return (a - operand) | 0;
    case code.mul:
      return Math.imul(a, operand);
    case code.div:
      return ((a >>> 0) / (operand >>> 0)) | 0;
    case code.mod:
      return ((a >>> 0) % (operand >>> 0)) | 0;
    case code.or:
      return a | operand;
    case code.and:
      return a & operand;
    case code.lsh:
      return a << operand; // by the lowest five bits, as the kernel shifts
    case code.rsh:
      return (a >>> operand) | 0;
    case code.xor:
      return a ^ operand;
    default:
      return -a | 0; // neg: check.ts lets no other through
  }
}

function load(bytes: Uint8Array, offset: number, size: number): number {
  const first = bytes[offset] as number;
  if (size === 1) return first;
  const second = bytes[offset + 1] as number;
  if (size === 2) return (first << 8) | second;
  return (
    (first << 24) | (second << 16) | ((bytes[offset + 2] as number) << 8) | (bytes[offset + 3] as number)
  );
}

/** An offset that counts from the network or link-layer header; {@link outside} when there is nothing to count from. */
function negative(k: number, context: Context): number {
  const unsigned = k >>> 0;
  if (unsigned < linkBase) return outside;
  if (unsigned < networkBase) return (context.linkOffset ?? 0) + (unsigned - linkBase);
  return context.networkOffset === undefined ? outside : context.networkOffset + (unsigned - networkBase);
}

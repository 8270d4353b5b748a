import { extensionBase } from './extension.ts';
import type { Instruction } from './instruction.ts';
import { code, opcodeOf, withX } from './opcode.ts';

/** What a register holds, in terms of the packet. `key` is the same for the same value. */
export type Value = (
  | { readonly kind: 'constant'; readonly value: number }
  /** Bytes at `offset`, counted from `base` when there is one. */
  | {
      readonly kind: 'load';
      readonly size: 1 | 2 | 4;
      readonly offset: number;
      readonly base: Value | undefined;
    }
  /** `4*([k]&0xf)` */
  | { readonly kind: 'header'; readonly offset: number }
  | { readonly kind: 'extension'; readonly k: number }
  | { readonly kind: 'length' }
  | { readonly kind: 'operation'; readonly mnemonic: string; readonly left: Value; readonly right: Value }
  /** Too long to write down, or dependent on the way here: whatever the instruction leaves behind. */
  | { readonly kind: 'result'; readonly instruction: number }
) & { readonly key: string; readonly weight: number };

export type State = { readonly a: Value; readonly x: Value; readonly memory: ReadonlyMap<number, Value> };

/** Operations in one value; beyond, it is not readable anyway. */
const heaviest = 40;

/** A value that is known before the program runs. */
export function constant(value: number): Value {
  return { kind: 'constant', value: value >>> 0, key: `#${value >>> 0}`, weight: 1 };
}

/** Before the first instruction: registers are 0, and no memory was written. */
export const start: State = { a: constant(0), x: constant(0), memory: new Map() };

function load(size: 1 | 2 | 4, offset: number, base: Value | undefined): Value {
  const from = base === undefined ? '' : `${base.key}+`;
  return {
    kind: 'load',
    size,
    offset,
    base,
    key: `[${from}${offset}:${size}]`,
    weight: 1 + (base?.weight ?? 0),
  };
}

const sizes: ReadonlyMap<string, 1 | 2 | 4> = new Map([
  ['ldb', 1],
  ['ldh', 2],
  ['ld', 4],
]);

/** The state behind an instruction that neither jumps nor returns. */
export function step(state: State, { code: number, k }: Instruction, index: number): State {
  const opcode = opcodeOf(number);
  const { a, x, memory } = state;
  const isX = opcode?.mnemonic.startsWith('ldx') ?? false;
  const put = (value: Value): State => {
    const light: Value =
      value.weight > heaviest ? { kind: 'result', instruction: index, key: `@${index}`, weight: 1 } : value;
    return isX ? { ...state, x: light } : { ...state, a: light };
  };
  switch (number) {
    case code.st:
      return { ...state, memory: new Map(memory).set(k, a) };
    case code.stx:
      return { ...state, memory: new Map(memory).set(k, x) };
    case code.tax:
      return { ...state, x: a };
    case code.txa:
      return { ...state, a: x };
    case code.ldMemory:
    case code.ldxMemory:
      return put(memory.get(k) ?? constant(0));
    case code.ldConstant:
    case code.ldxConstant:
      return put(constant(k));
    case code.ldLength:
    case code.ldxLength:
      return put({ kind: 'length', key: 'len', weight: 1 });
    case code.ldxHeader:
      return put(headerLength(k));
    default:
      break;
  }
  const size = sizes.get(opcode?.mnemonic ?? '') ?? 4;
  if (opcode?.operand === 'absolute')
    return put(k >= extensionBase ? fromKernel(k, state) : load(size, k, undefined));
  if (opcode?.operand === 'indirect') return put(loadFrom(size, x, k));
  return put(operation(opcode?.mnemonic ?? '', a, (number & withX) === 0 ? constant(k) : x));
}

/** Of two extensions the answer depends on the registers as well. */
function fromKernel(k: number, { a, x }: State): Value {
  const value: Value = { kind: 'extension', k, key: `ext${k}`, weight: 1 };
  const usesRegisters = k === 0xfffff00c || k === 0xfffff010 || k === 0xfffff028;
  if (!usesRegisters) return value;
  const weight = 2 * heaviest; // not to be written down
  return { ...value, key: `ext${k}(${a.key},${x.key})`, weight };
}

function loadFrom(size: 1 | 2 | 4, x: Value, k: number): Value {
  if (x.kind === 'operation' && x.mnemonic === 'add' && x.right.kind === 'constant') {
    return loadFrom(size, x.left, (x.right.value + k) >>> 0);
  }
  if (x.kind === 'constant') {
    const offset = (x.value + k) >>> 0;
    if (offset < 0x80000000) return load(size, offset, undefined);
  }
  return load(size, k, x);
}

function operation(mnemonic: string, left: Value, right: Value): Value {
  if (left.kind === 'constant' && right.kind === 'constant') {
    const folded = fold(mnemonic, left.value, right.value);
    if (folded !== undefined) return constant(folded);
  }
  if (mnemonic === 'add' && right.kind === 'constant' && right.value === 0) return left;
  const header =
    mnemonic === 'lsh' && right.kind === 'constant' && right.value === 2 ? lengthField(left) : undefined;
  if (header !== undefined) return headerLength(header);
  const key = `(${left.key} ${mnemonic} ${right.key})`;
  return { kind: 'operation', mnemonic, left, right, key, weight: 1 + left.weight + right.weight };
}

/** `4*([k]&0xf)` */
function headerLength(offset: number): Value {
  return { kind: 'header', offset, key: `ihl${offset}`, weight: 1 };
}

/** The offset of the byte whose lower half the value is. */
function lengthField(value: Value): number | undefined {
  if (value.kind !== 'operation' || value.mnemonic !== 'and' || value.left.kind !== 'load') return undefined;
  const { left, right } = value;
  const isHalf =
    right.kind === 'constant' && right.value === 0xf && left.size === 1 && left.base === undefined;
  return isHalf ? left.offset : undefined;
}

/** Undefined where the program would end. */
function fold(mnemonic: string, left: number, right: number): number | undefined {
  if ((mnemonic === 'div' || mnemonic === 'mod') && right === 0) return undefined;
  const results: Readonly<Record<string, number>> = {
    add: left + right,
    sub: left - right,
    mul: Math.imul(left, right),
    div: Math.floor(left / right),
    mod: left % right,
    or: left | right,
    and: left & right,
    xor: left ^ right,
    lsh: left << right,
    rsh: left >>> right,
    neg: -left,
  };
  return results[mnemonic];
}

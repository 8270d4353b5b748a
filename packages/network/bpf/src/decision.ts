import { branches, code, opcodeOf, withX } from './opcode.ts';
import type { Instruction } from './instruction.ts';
import { constant, start, type State, step, type Value } from './symbolic.ts';

/** A comparison of two values; `has` is true when they have a bit in common. */
export type Test = {
  readonly relation: '=' | '>' | '>=' | 'has';
  readonly left: Value;
  readonly right: Value;
};

/** How a program decides: tests, and what it returns behind them. Where ways meet, nodes are shared. */
export type Decision =
  | { readonly kind: 'test'; readonly test: Test; readonly yes: Decision; readonly no: Decision }
  | { readonly kind: 'return'; readonly value: Value };

const relations: ReadonlyMap<string, Test['relation']> = new Map([
  ['jeq', '='],
  ['jgt', '>'],
  ['jge', '>='],
  ['jset', 'has'],
]);

/** More decisions than a reader could follow, altogether and one after the other. */
const maxNodes = 20_000;
const deepest = 2000;

/** The decisions of a program; undefined when it has too many. */
export function decisionsOf(program: readonly Instruction[]): Decision | undefined {
  const live = livenessOf(program);
  const nodes = new Map<string, Decision>();
  const returns = new Map<string, Decision>();

  function walk(index: number, state: State, depth: number): Decision {
    let at = index;
    let now = state;
    for (;;) {
      const instruction = program[at];
      if (instruction === undefined) throw new RangeError('a checked program ends with a return');
      const { code: number, k } = instruction;
      if (number === code.ret || number === code.retA) return leaf(number === code.ret ? constant(k) : now.a);
      if (number === code.ja) {
        at += 1 + k;
      } else if (branches(number)) {
        return branch(at, now, instruction, depth);
      } else {
        now = step(now, instruction, at);
        at += 1;
      }
    }
  }

  function leaf(value: Value): Decision {
    const known = returns.get(value.key);
    if (known !== undefined) return known;
    const made: Decision = { kind: 'return', value };
    returns.set(value.key, made);
    return made;
  }

  function branch(
    at: number,
    state: State,
    { code: number, jt, jf, k }: Instruction,
    depth: number,
  ): Decision {
    const key = `${at} ${keyOf(state, live[at] ?? 0)}`;
    const known = nodes.get(key);
    if (known !== undefined) return known;
    if (nodes.size >= maxNodes || depth >= deepest) throw new TooMany();
    const right = (number & withX) === 0 ? constant(k) : state.x;
    const relation = relations.get(opcodeOf(number)?.mnemonic ?? '') ?? '=';
    const test: Test = { relation, left: state.a, right };
    const outcome = decided(test);
    const yes = outcome === false ? undefined : walk(at + 1 + jt, state, depth + 1);
    const no = outcome === true ? undefined : walk(at + 1 + jf, state, depth + 1);
    const made: Decision =
      yes === undefined
        ? (no as Decision)
        : no === undefined || yes === no
          ? yes
          : { kind: 'test', test, yes, no };
    nodes.set(key, made);
    return made;
  }

  try {
    return walk(0, start, 0);
  } catch (error) {
    if (error instanceof TooMany) return undefined;
    throw error;
  }
}

class TooMany extends Error {}

function decided({ relation, left, right }: Test): boolean | undefined {
  if (left.kind !== 'constant' || right.kind !== 'constant') return undefined;
  if (relation === '=') return left.value === right.value;
  if (relation === '>') return left.value > right.value;
  return relation === '>=' ? left.value >= right.value : (left.value & right.value) !== 0;
}

const liveA = 1 << 16;
const liveX = 1 << 17;

/** The part of a state that matters from here on, as a key. */
function keyOf({ a, x, memory }: State, live: number): string {
  const words = [...memory].filter(([word]) => (live & (1 << word)) !== 0);
  const shown = words.map(([word, value]) => `${word}=${value.key}`).sort();
  return [(live & liveA) === 0 ? '' : a.key, (live & liveX) === 0 ? '' : x.key, ...shown].join(' ');
}

/** Per instruction, what is read before it is written from there on: bits 0 to 15 for memory, then both registers. */
function livenessOf(program: readonly Instruction[]): readonly number[] {
  const live: number[] = [];
  for (let index = program.length - 1; index >= 0; index -= 1) {
    const instruction = program[index];
    if (instruction === undefined) continue;
    const { code: number, jt, jf, k } = instruction;
    const next = (distance: number) => live[index + 1 + distance] ?? 0;
    const after =
      number === code.ja
        ? next(k)
        : branches(number)
          ? next(jt) | next(jf)
          : number === code.ret
            ? 0
            : next(0);
    live[index] = (after & ~writes(instruction)) | reads(instruction);
  }
  return live;
}

function writes({ code: number, k }: Instruction): number {
  const opcode = opcodeOf(number);
  if (number === code.st || number === code.stx) return 1 << k;
  if (number === code.tax || opcode?.mnemonic.startsWith('ldx') === true) return liveX;
  return opcode === undefined || opcode.branches || opcode.operand === 'target' ? 0 : liveA;
}

function reads({ code: number, k }: Instruction): number {
  const opcode = opcodeOf(number);
  const x =
    opcode?.operand === 'x' || opcode?.operand === 'indirect' || number === code.stx || number === code.txa;
  const loads = opcode?.mnemonic.startsWith('ld') ?? false;
  const a = !(
    loads ||
    number === code.ret ||
    number === code.stx ||
    number === code.txa ||
    number === code.ja
  );
  const memory = loads && opcode?.operand === 'memory' ? 1 << k : 0;
  // Three values of the kernel's depend on both registers.
  const both = opcode?.operand === 'absolute' && k >= 0xfffff000;
  return memory | (x || both ? liveX : 0) | (a || both ? liveA : 0);
}

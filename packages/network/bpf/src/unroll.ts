import { type Instruction, signed } from './instruction.ts';
import { code } from './opcode.ts';
import { relocate, type Step, toSteps } from './relocate.ts';

/** More extension headers than any packet has that is no attack: RFC 8200 knows seven, most of them once. */
const maxTurns = 16;

type Loop = { readonly first: number; readonly last: number };

/**
 * A program without jumps backwards, as the kernel wants it. libpcap compiles `protochain` to a loop over headers, for its
 * own interpreter; here the loop's body stands there once for each header. A packet with more headers than that is refused.
 */
export function unroll(instructions: readonly Instruction[]): readonly Instruction[] {
  const loops = loopsOf(instructions);
  if (loops.length === 0) return instructions;
  const steps = toSteps(instructions, 0);
  const size = instructions.length;
  const refusal = size * (maxTurns + 1);
  const unrolled: Step[] = [];
  for (let index = 0; index < size; index += 1) {
    const loop = loops.find(({ first }) => first === index);
    if (loop === undefined) {
      unrolled.push(...steps.slice(index, index + 1));
      continue;
    }
    for (let turn = 0; turn < maxTurns; turn += 1) unrolled.push(...turnOf(steps, loop, turn, size, refusal));
    index = loop.last;
  }
  return relocate([...unrolled, { mark: refusal, code: code.ret, k: 0 }]);
}

/** What jumps backwards with what it jumps over, joined where they overlap. In the order of the program. */
function loopsOf(instructions: readonly Instruction[]): readonly Loop[] {
  const loops: Loop[] = [];
  for (const [last, { code: number, k }] of instructions.entries()) {
    if (number !== code.ja || signed(k) >= 0) continue;
    let first = last + 1 + signed(k);
    for (let before = loops.at(-1); before !== undefined && first <= before.last; before = loops.at(-1)) {
      first = Math.min(first, before.first);
      loops.pop();
    }
    loops.push({ first, last });
  }
  return loops;
}

/** The body of a loop, the first turn by its own marks: what comes from elsewhere enters there. */
function turnOf(
  steps: readonly Step[],
  { first, last }: Loop,
  turn: number,
  size: number,
  refusal: number,
): readonly Step[] {
  const markOf = (target: number, from: number): number => {
    if (target < first || target > last) return target;
    const next = target <= from ? turn + 1 : turn;
    return next === maxTurns ? refusal : target + next * size;
  };
  return steps.slice(first, last + 1).map((step, index) => {
    const from = first + index;
    return {
      ...step,
      mark: from + turn * size,
      ...(step.to !== undefined && { to: markOf(targetOf(step.to), from) }),
      ...(step.otherwise !== undefined && { otherwise: markOf(step.otherwise, from) }),
    };
  });
}

/** Marks count distances as unsigned numbers of 32 bits: a jump backwards is one around them. */
function targetOf(mark: number): number {
  return mark > 0xffff_ffff / 2 ? mark - 2 ** 32 : mark;
}

import type { Instruction } from './instruction.ts';
import { branches, code } from './opcode.ts';

/**
 * An instruction whose targets are marks instead of distances. `mark` names the instruction itself; several may not
 * have the same.
 */
export type Step = {
  readonly mark?: number;
  readonly code: number;
  readonly k: number;
  /** Where `ja`, or a comparison that is true, goes on; the next step by default. */
  readonly to?: number;
  /** Where a comparison that is false goes on; the next step by default. */
  readonly otherwise?: number;
};

/** The steps of a list of instructions, marked by their indices plus `base`. */
export function toSteps(instructions: readonly Instruction[], base: number): readonly Step[] {
  return instructions.map(({ code: number, jt, jf, k }, index) => {
    const mark = base + index;
    if (number === code.ja) return { mark, code: number, k: 0, to: mark + 1 + k };
    if (!branches(number)) return { mark, code: number, k };
    return { mark, code: number, k, to: mark + 1 + jt, otherwise: mark + 1 + jf };
  });
}

/** Puts distances for marks. A comparison whose target is too far for eight bits is followed by jumps that reach it. */
export function relocate(steps: readonly Step[]): Instruction[] {
  const far = new Set<number>();
  for (;;) {
    const positions = place(steps, far);
    const more = steps.flatMap((step, index) =>
      !far.has(index) && branches(step.code) && isFar(step, index, positions) ? [index] : [],
    );
    if (more.length === 0) return steps.flatMap((step, index) => emit(step, index, positions, far));
    for (const index of more) far.add(index);
  }
}

type Positions = { readonly ofStep: readonly number[]; readonly ofMark: ReadonlyMap<number, number> };

/** A comparison with far targets takes three instructions: itself and two jumps. */
function place(steps: readonly Step[], far: ReadonlySet<number>): Positions {
  const ofStep: number[] = [];
  const ofMark = new Map<number, number>();
  let position = 0;
  for (const [index, { mark }] of steps.entries()) {
    ofStep.push(position);
    if (mark !== undefined) ofMark.set(mark, position);
    position += far.has(index) ? 3 : 1;
  }
  ofStep.push(position);
  return { ofStep, ofMark };
}

function target(mark: number | undefined, index: number, { ofStep, ofMark }: Positions): number {
  const position = mark === undefined ? ofStep[index + 1] : ofMark.get(mark);
  if (position === undefined) throw new RangeError(`no step has mark ${mark}`);
  return position;
}

function isFar(step: Step, index: number, positions: Positions): boolean {
  const next = (positions.ofStep[index] ?? 0) + 1;
  return [step.to, step.otherwise].some((mark) => target(mark, index, positions) - next > 0xff);
}

function emit(step: Step, index: number, positions: Positions, far: ReadonlySet<number>): Instruction[] {
  const at = positions.ofStep[index] ?? 0;
  const { code: number, k } = step;
  const jump = (position: number, mark: number | undefined): Instruction => {
    return { code: code.ja, jt: 0, jf: 0, k: target(mark, index, positions) - position - 1 };
  };
  if (number === code.ja) return [jump(at, step.to)];
  if (!branches(number)) return [{ code: number, jt: 0, jf: 0, k }];
  if (far.has(index)) {
    return [{ code: number, jt: 0, jf: 1, k }, jump(at + 1, step.to), jump(at + 2, step.otherwise)];
  }
  const distance = (mark: number | undefined) => target(mark, index, positions) - at - 1;
  return [{ code: number, jt: distance(step.to), jf: distance(step.otherwise), k }];
}

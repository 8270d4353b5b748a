import { code } from './opcode.ts';
import { type Program, program } from './program.ts';
import { relocate, type Step, toSteps } from './relocate.ts';

/**
 * The program that wants what both want, and as much of it as the second. What the first stores or computes is not
 * seen by the second.
 *
 * @throws {BpfError} `ERR_BPF_INVALID` when together they are too long.
 */
export function both(first: Program, second: Program): Program {
  const base = first.length + 1;
  const steps = replaceReturns(toSteps(first, 0), ({ code: number, k, mark }) => {
    const here = mark === undefined ? {} : { mark };
    if (number === code.ret)
      return [k === 0 ? { ...here, code: number, k } : { ...here, code: code.ja, k: 0, to: base }];
    // ret a: 0 refuses, anything else goes on.
    return [
      { ...here, code: code.jeq, k: 0, otherwise: base },
      { code: code.ret, k: 0 },
    ];
  });
  const reset: readonly Step[] = [
    { mark: base, code: code.ldConstant, k: 0 },
    { code: code.tax, k: 0 },
  ];
  return program(relocate([...steps, ...reset, ...toSteps(second, base + 1)]));
}

/**
 * The program that wants no more than `bytes` of a packet: it cuts packets short in the kernel, before they are copied.
 *
 * @param bytes from 1 to 2^32-1.
 */
export function withSnapLength(list: Program, bytes: number): Program {
  if (!Number.isInteger(bytes) || bytes < 1 || bytes > 0xffffffff) {
    throw new RangeError(`snap length is ${bytes}, not a whole number from 1 to 2^32-1`);
  }
  const steps = replaceReturns(toSteps(list, 0), (step) => {
    if (step.code === code.ret) return [{ ...step, k: Math.min(step.k, bytes) }];
    const here = step.mark === undefined ? {} : { mark: step.mark };
    const small = list.length + (step.mark ?? 0);
    return [
      { ...here, code: code.jgt, k: bytes, otherwise: small },
      { code: code.ret, k: bytes },
      { mark: small, code: code.retA, k: 0 },
    ];
  });
  return program(relocate(steps));
}

function replaceReturns(steps: readonly Step[], replace: (step: Step) => readonly Step[]): readonly Step[] {
  return steps.flatMap((step) =>
    step.code === code.ret || step.code === code.retA ? replace(step) : [step],
  );
}

import { KeysError, luksKeyslots, type KeyContext, unlock } from '@nodecore/keys';
import { codeOf } from '@nodecore/sys';

import { keySpec, type PlainSpec } from './key-specs.ts';
import { operate, type OperationOptions } from './rotation-operation.ts';
import type { Step } from './rotation-steps.ts';

/**
 * Checks a header as a crash in the middle of an operation may leave it: as many intended keys open it as before or
 * after, whichever is less, and every one that the operation does not touch. Doing the operation again ends it.
 *
 * @returns what is wrong, in words; nothing when all is well.
 */
export async function checkCrash(image: string, step: Step, options: OperationOptions): Promise<string[]> {
  const { context } = options;
  const { before, after } = step;
  const intended = distinct([...before, ...after]);
  const stay = before.filter((spec) => has(after, spec));
  const openers = await opening(image, intended, context);
  const problems = missing('while it lasts', openers, step.do === 'rotate' ? [] : stay);
  const least = Math.min(before.length, after.length);
  if (openers.length < least) problems.push(`${openers.length} keys open it, at least ${least} should`);
  if (openers.length === 0) return problems;

  await operate(image, step, options);
  const ended = await opening(image, intended, context);
  problems.push(...missing('afterwards', ended, after));
  const stale = ended.filter((spec) => !has(after, spec));
  problems.push(...stale.map((spec) => `${nameOf(spec)} still opens it afterwards`));
  const { taken, tokens } = await luksKeyslots(image).read();
  const slots = after.map(({ slot }) => slot).join();
  if (taken.join() !== slots) problems.push(`keyslots ${taken.join()} in place of ${slots} afterwards`);
  const journal = tokens.find(({ json }) => json.type === 'nodecore-rotation');
  if (journal !== undefined) problems.push('a journal is left afterwards');
  return problems;
}

/** Which of the keys open it, each tried alone. */
async function opening(
  image: string,
  specs: readonly PlainSpec[],
  context: KeyContext,
): Promise<readonly PlainSpec[]> {
  const store = luksKeyslots(image);
  const found: PlainSpec[] = [];
  for (const spec of specs) {
    try {
      using _ = await unlock(store, [keySpec(spec)], context);
      found.push(spec);
    } catch (error) {
      if (!(error instanceof KeysError) || codeOf(error) !== 'ERR_KEYS_NONE') throw error;
    }
  }
  return found;
}

function missing(when: string, openers: readonly PlainSpec[], wanted: readonly PlainSpec[]): string[] {
  return wanted
    .filter((spec) => !has(openers, spec))
    .map((spec) => `${nameOf(spec)} does not open it ${when}`);
}

const nameOf = (spec: PlainSpec): string => `the ${spec.kind} key of slot ${spec.slot}`;
const same = (one: PlainSpec, other: PlainSpec): boolean => JSON.stringify(one) === JSON.stringify(other);
const has = (specs: readonly PlainSpec[], spec: PlainSpec): boolean => specs.some((one) => same(one, spec));

function distinct(specs: readonly PlainSpec[]): readonly PlainSpec[] {
  return specs.filter((spec, index) => specs.findIndex((other) => same(other, spec)) === index);
}

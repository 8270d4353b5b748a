import {
  create,
  failureOf,
  type KeyContext,
  type KeyFailure,
  type KeyOptions,
  type KeySpec,
  type NewKey,
} from '@nodecore/keys';
import { Serial } from '@nodecore/waiting';

/** Keys for a header that is yet to be written. Disposing it wipes them. */
export type NewKeys = Disposable & {
  /** In the order of the configuration. */
  readonly made: readonly { readonly slot: number; readonly key: NewKey }[];
  readonly failures: readonly KeyFailure[];
};

/** Makes the keys of all specs at once, before anything is written. One that fails does not hold back the others. */
export async function makeKeys(
  specs: readonly KeySpec[],
  context: KeyContext,
  options: KeyOptions = {},
): Promise<NewKeys> {
  const { signal } = options;
  const tpm = new Serial(); // the time of a key does not run while the TPM works for another
  const make = (spec: KeySpec): Promise<NewKey> => {
    const work = (): Promise<NewKey> => create(spec, context, options);
    return spec.kind === 'tpm' ? tpm.run(work, signal) : work();
  };
  const outcomes = await Promise.allSettled(specs.map(make));
  const stack = new DisposableStack();
  const made: { slot: number; key: NewKey }[] = [];
  const failures: KeyFailure[] = [];
  for (const [index, spec] of specs.entries()) {
    const outcome = outcomes[index];
    if (outcome?.status === 'fulfilled') made.push({ slot: spec.slot, key: stack.use(outcome.value) });
    else failures.push(failureOf(spec, outcome?.reason));
  }
  if (signal?.aborted === true) {
    stack.dispose();
    throw signal.reason;
  }
  return { made, failures, [Symbol.dispose]: () => stack.dispose() };
}

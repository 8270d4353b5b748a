import type { Step } from './situation.ts';

type StepOf<Do extends Step['do']> = Extract<Step, { readonly do: Do }>;

const words: { readonly [Do in Step['do']]: (step: StepOf<Do>) => string } = {
  examine: ({ spec }) => `try the ${spec.kind} key on keyslot ${spec.slot}`,
  recover: ({ spec }) => `recover the new key of keyslot ${spec.slot}, whose change was interrupted`,
  create: ({ spec }) => `make a new ${spec.kind} key for keyslot ${spec.slot}`,
  test: ({ slot }) => `try the new key on keyslot ${slot}`,
  prove: ({ slot }) => `prove that keyslot ${slot} opens with what is stored`,
  'give-up': ({ spec, reason }) => `leave keyslot ${spec.slot} as it is: ${reason}`,
  record: ({ slots }) => `note that keyslots ${slots.join(', ')} are ours`,
  journal: ({ spec }) => `note the change of keyslot ${spec.slot}`,
  token: ({ spec, slots }) =>
    slots.length === 0
      ? `store the token of the new key of keyslot ${spec.slot}`
      : `assign the token to keyslot ${slots.join(' and ')}`,
  add: ({ slot, isSpare }) => `add the new key to ${isSpare ? 'spare ' : ''}keyslot ${slot}`,
  destroy: ({ slot }) => `remove keyslot ${slot}`,
  'remove-token': ({ id }) => `remove token ${id}`,
  end: ({ journal, outcome, reason }) => `end the change of keyslot ${journal.slot}: ${outcome}, ${reason}`,
};

/** What a step does, in words. */
export function describeStep(step: Step): string {
  const describe = words[step.do] as (step: Step) => string;
  return describe(step);
}

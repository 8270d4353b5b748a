import { made } from './field/made.ts';
import { Mistake } from './field/mistake.ts';
import { object } from './field/object.ts';
import { boolean } from './field/scalars.ts';
import { items, wholeNumber, withJson } from './field/shape.ts';
import { optional, type Type } from './field/type.ts';

/** The TPM profile for PCs has 24 platform configuration registers. */
const largestPcr = 23;
/** State of Secure Boot: whether it is on, its keys, and which of them vouched for what was started. */
const secureBootPcr = 7;
/** TCG PC Client Platform TPM Profile, PCR attributes: debug and application support are reset by any program. */
const resettable: ReadonlySet<number> = new Set([16, 23]);

const pcr = made(withJson(wholeNumber, { minimum: 0, maximum: largestPcr }), (number, at) => {
  if (number < 0 || number > largestPcr)
    return new Mistake('key.pcr_range', `a PCR is between 0 and ${largestPcr}`);
  if (resettable.has(number))
    at.warning('key.pcr_resettable', `PCR ${number} can be reset by any program: it proves nothing`);
  return number;
});

/** Ascending and each once, which is how a TPM digests a selection whatever order it is given in. */
const pcrs = made(items(pcr, { default: [secureBootPcr] }), (given, at) => {
  const sorted = [...new Set(given)].sort((a, b) => a - b);
  const isInOrder = given.length === sorted.length && given.every((one, index) => one === sorted[index]);
  if (!isInOrder)
    at.warning('key.pcr_order', `PCRs are bound in ascending order, each once: [${sorted.join(', ')}]`);
  if (given.length === 0)
    at.warning(
      'key.pcr_none',
      'an empty list binds the key to no PCR value: without a signed policy, whatever this machine starts gets the key',
    );
  return sorted;
});

const source = object({
  options: optional(
    'what the key is bound to',
    object({ pcrs: optional('PCRs whose values the key is bound to; an empty list: none', pcrs) }),
  ),
  checkSecurebootStatusOnEnroll: optional(
    'make no key while Secure Boot is off',
    withJson(boolean, { default: false }),
  ),
});

/** What a key is bound to in a TPM. */
export type TpmBinding = {
  readonly pcrs: readonly number[];
  readonly checkSecurebootStatusOnEnroll: boolean;
};

/**
 * `tpm`: a random key, sealed by the machine's TPM. Only a list that is there and empty binds to no PCR: `options: {}` is a block
 * somebody has not filled in, and means what no block means.
 */
export const tpmSource: Type<TpmBinding> = made(
  source,
  ({ options, checkSecurebootStatusOnEnroll = false }, at) => {
    const bound = options?.pcrs ?? [secureBootPcr];
    if (checkSecurebootStatusOnEnroll && !bound.includes(secureBootPcr))
      at.at('checkSecurebootStatusOnEnroll').warning(
        'key.secure_boot_unbound',
        `Secure Boot is checked once, when the key is made: bind PCR ${secureBootPcr} to need it at every start`,
      );
    return { pcrs: bound, checkSecurebootStatusOnEnroll };
  },
);

import { type Place } from './place.ts';

export type TpmSource = {
  readonly kind: 'tpm';
  readonly pcrs: readonly number[];
  readonly checkSecurebootStatusOnEnroll: boolean;
};

/** The TPM profile for PCs has 24 platform configuration registers. */
const largestPcr = 23;
/** State of Secure Boot: whether it is on, its keys, and which of them vouched for what was started. */
const secureBootPcr = 7;
/** TCG PC Client Platform TPM Profile, PCR attributes: debug and application support are reset by any program. */
const resettable: ReadonlySet<number> = new Set([16, 23]);

/**
 * Reads `tpm`. Only a list that is there and empty binds to no PCR: `options: {}` is a block somebody has not filled in,
 * and means what no block means.
 */
export function readTpm(source: Place): TpmSource {
  const list = source.get('options')?.get('pcrs');
  const pcrs = list === undefined ? [secureBootPcr] : readPcrs(list);
  const check = source.get('checkSecurebootStatusOnEnroll');
  if (check?.boolean() === true && !pcrs.includes(secureBootPcr)) {
    check.warning(
      'key.secure_boot_unbound',
      `Secure Boot is checked once, when the key is made: bind PCR ${secureBootPcr} to need it at every start`,
    );
  }
  return { kind: 'tpm', pcrs, checkSecurebootStatusOnEnroll: check?.boolean() ?? false };
}

/** Ascending and each once, which is how a TPM digests a selection whatever order it is given in. */
function readPcrs(list: Place): number[] {
  const items = list.items();
  const given = items.flatMap((item) => readPcr(item) ?? []);
  const pcrs = [...new Set(given)].sort((a, b) => a - b);
  const inOrder = given.length === pcrs.length && given.every((pcr, index) => pcr === pcrs[index]);
  if (!inOrder) {
    const message = `PCRs are bound in ascending order, each once: [${pcrs.join(', ')}]`;
    list.warning('key.pcr_order', message);
  }
  if (items.length === 0 && list.isList()) {
    const message =
      'an empty list binds the key to no PCR value: without a signed policy, whatever this machine starts gets the key';
    list.warning('key.pcr_none', message);
  }
  return pcrs;
}

function readPcr(item: Place): number | undefined {
  const pcr = item.integer();
  if (pcr === undefined) return undefined; // reported as a wrong type
  if (pcr < 0 || pcr > largestPcr) {
    item.problem('key.pcr_range', `a PCR is between 0 and ${largestPcr}`);
    return undefined;
  }
  if (resettable.has(pcr)) {
    item.warning('key.pcr_resettable', `PCR ${pcr} can be reset by any program: it proves nothing`);
  }
  return pcr;
}

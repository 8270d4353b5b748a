import type { AddonTpmFailure } from './tpm-addon.ts';
import { NativeError } from './errors.ts';

/**
 * Why a request to a TPM failed:
 *
 * - `response`: the TPM or the way to it refused; see `responseCode`
 * - `key`: its storage root key is not the expected one
 * - `policy`: the machine's state does not fulfil the policy
 * - `proof`: what came back is not what was sealed
 * - `blob`: the sealed bytes are no object
 */
export type TpmCondition = Exclude<AddonTpmFailure['condition'], 'library'>;

/** The facts about a failed request to a TPM; what they mean is for the package above to say. */
export class TpmCallError extends NativeError {
  readonly condition: TpmCondition;
  /** The function of libtss2-esys that failed. */
  readonly call: string;
  /** TSS2_RC: the layer in the upper half, the TPM's own TPM_RC in the lower; 0 when no call failed. */
  readonly responseCode: number;

  constructor(condition: TpmCondition, call: string, responseCode: number) {
    super('ERR_NATIVE_TPM', `${call}: 0x${responseCode.toString(16)} (${condition})`);
    this.condition = condition;
    this.call = call;
    this.responseCode = responseCode;
  }

  static {
    this.prototype.name = 'TpmCallError';
  }
}

const packages: Readonly<Record<string, { readonly debian: string; readonly fedora: string }>> = {
  'libtss2-esys.so.0': { debian: 'libtss2-esys-3.0.2-0', fedora: 'tpm2-tss' },
  'libtss2-tctildr.so.0': { debian: 'libtss2-tctildr0', fedora: 'tpm2-tss' },
};

/** Gives the failure of the TPM's thread its words. */
export function tpmFailure({ condition, call, responseCode, library }: AddonTpmFailure): NativeError {
  if (condition !== 'library') return new TpmCallError(condition, call, responseCode);
  const { debian, fedora } = packages[library] ?? { debian: 'libtss2-dev', fedora: 'tpm2-tss' };
  return new NativeError(
    'ERR_NATIVE_LIBRARY',
    `${library} can't be used (${call}); install ${debian} (Debian) or ${fedora} (Fedora)`,
  );
}

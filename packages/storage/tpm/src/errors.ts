import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type TpmErrorCode =
  | 'ERR_TPM_NOT_FOUND' // no TPM 2.0 at this address
  | 'ERR_TPM_UNREACHABLE' // it is there and does not answer, or not in the TPM's language
  | 'ERR_TPM_LIBRARY' // libtss2 is missing; the message names its packages
  | 'ERR_TPM_LOCKOUT' // too many wrong PINs: it refuses until its timer has run
  | 'ERR_TPM_PCR_MISMATCH' // the machine was started in another way than when the secret was sealed; see `pcrs`
  | 'ERR_TPM_PCR_UNUSABLE' // a register that nothing has measured into protects nothing
  | 'ERR_TPM_DIFFERENT' // another TPM, or a cleared one, or somebody between us and it: the storage root key differs
  | 'ERR_TPM_PIN_REQUIRED' // sealed with a PIN, and none was given
  | 'ERR_TPM_PIN_REJECTED' // the PIN is wrong; each try counts towards the lockout
  | 'ERR_TPM_SIGNATURE_MISSING' // no signature for the present state of the machine
  | 'ERR_TPM_SIGNATURE_INVALID' // a signature that the key in the policy did not make
  | 'ERR_TPM_BLOB_INVALID' // the sealed bytes are damaged, or not of this kind
  | 'ERR_TPM_EVENT_LOG' // the event log is damaged
  | 'ERR_TPM_UNSUPPORTED' // a request that this TPM or this package does not serve
  | 'ERR_TPM_FAILED'; // anything else; see `responseCode`

const kinds: ErrorKinds<TpmErrorCode> = {
  ERR_TPM_NOT_FOUND: 'not-found',
  ERR_TPM_UNREACHABLE: 'unavailable',
  ERR_TPM_LIBRARY: 'unsupported',
  ERR_TPM_LOCKOUT: 'refused',
  ERR_TPM_PCR_MISMATCH: 'refused',
  ERR_TPM_PCR_UNUSABLE: 'invalid',
  ERR_TPM_DIFFERENT: 'refused',
  ERR_TPM_PIN_REQUIRED: 'refused',
  ERR_TPM_PIN_REJECTED: 'refused',
  ERR_TPM_SIGNATURE_MISSING: 'refused',
  ERR_TPM_SIGNATURE_INVALID: 'refused',
  ERR_TPM_BLOB_INVALID: 'damaged',
  ERR_TPM_EVENT_LOG: 'damaged',
  ERR_TPM_UNSUPPORTED: 'unsupported',
  ERR_TPM_FAILED: 'internal',
};

export type TpmErrorDetails = {
  /** TSS2_RC: the TPM_RC as the TPM gave it, or a code of the layers below; undefined when nobody was asked. */
  readonly responseCode?: number;
  /** PCRs that the error is about. */
  readonly pcrs?: readonly number[];
  /** It may pass by itself: the kernel is still looking for the TPM, for instance. */
  readonly permanence?: 'transient';
  readonly cause?: unknown;
};

/** Something about a TPM or what was sealed by it. Never contains a secret. */
export class TpmError extends CodedError<TpmErrorCode> {
  readonly responseCode: number | undefined;
  readonly pcrs: readonly number[];
  /** Undefined where the code alone tells. */
  readonly permanence: 'transient' | undefined;

  constructor(code: TpmErrorCode, message: string, details: TpmErrorDetails = {}) {
    super(code, `tpm: ${message}`, details.cause === undefined ? {} : { cause: details.cause });
    this.responseCode = details.responseCode;
    this.pcrs = details.pcrs ?? [];
    this.permanence = details.permanence;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'TpmError';
  }
}

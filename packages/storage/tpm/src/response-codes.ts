import { NativeError, TpmCallError, type TpmCondition } from '@nodecore/native';

import { TpmError, type TpmErrorCode } from './errors.ts';

type Meaning = readonly [code: TpmErrorCode, words: string];

/** Layers of a TSS2_RC (TSS 2.0 Overview and Common Structures, 3.7). */
const layer = {
  tpm: 0,
  esys: 7,
  sys: 8,
  mu: 9,
  tcti: 10,
  resourceManager: 11,
  resourceManagerTpm: 12,
} as const;

/** Base codes of the layers: an answer that contradicts itself, that is cut short, whose HMAC is not the session's. */
const base = {
  badSequence: 7,
  malformedResponse: 17,
  insufficientResponse: 19,
  responseAuthFailed: 27,
} as const;

/** TPM_RC without the number of the handle, parameter or session that it is about (TPM 2.0 Part 2, 6.6). */
const rc = {
  value: 0x084,
  handle: 0x08b,
  key: 0x09c,
  authFail: 0x08e,
  badAuth: 0x0a2,
  size: 0x095,
  signature: 0x09b,
  policyFail: 0x09d,
  integrity: 0x09f,
  ticket: 0x0a0,
  failure: 0x101,
  disabled: 0x120,
  pcrChanged: 0x128,
  objectMemory: 0x902,
  sessionMemory: 0x903,
  memory: 0x904,
  referenceH0: 0x910,
  nvRate: 0x920,
  lockout: 0x921,
  retry: 0x922,
} as const;

const different = 'ERR_TPM_DIFFERENT';
const replaced = 'the TPM has another storage root key where this was sealed: another TPM, or it was cleared';

/** What a code means whichever command it answers. */
const always: Readonly<Record<number, Meaning>> = {
  [rc.lockout]: ['ERR_TPM_LOCKOUT', 'it is locked out after too many wrong PINs'],
  [rc.pcrChanged]: ['ERR_TPM_FAILED', 'its registers kept changing'],
  [rc.policyFail]: ['ERR_TPM_PCR_MISMATCH', 'the policy is not fulfilled'],
  [rc.failure]: ['ERR_TPM_UNREACHABLE', 'its self-test failed; only a power cycle helps'],
  [rc.objectMemory]: [
    'ERR_TPM_UNREACHABLE',
    'its memory is taken by objects of others; use its resource manager',
  ],
  [rc.sessionMemory]: ['ERR_TPM_UNREACHABLE', 'its memory is taken by sessions of others'],
  [rc.memory]: ['ERR_TPM_UNREACHABLE', 'its memory is taken'],
  [rc.nvRate]: ['ERR_TPM_UNREACHABLE', 'it limits how often it writes; try again later'],
  [rc.retry]: ['ERR_TPM_UNREACHABLE', 'it is busy; try again later'],
};

/** What a code means as the answer to one command. */
const byCall: Readonly<Record<string, Readonly<Record<number, Meaning>>>> = {
  Esys_CreatePrimary: {
    [rc.authFail]: [
      'ERR_TPM_UNSUPPORTED',
      "its owner hierarchy has a password, so that nobody else's keys can be made",
    ],
    [rc.badAuth]: [
      'ERR_TPM_UNSUPPORTED',
      "its owner hierarchy has a password, so that nobody else's keys can be made",
    ],
    [rc.disabled]: ['ERR_TPM_UNSUPPORTED', 'its owner hierarchy is disabled'],
  },
  Esys_Load: {
    [rc.integrity]: [different, 'another TPM sealed this, or it was cleared since'],
    [rc.authFail]: [different, replaced],
    [rc.badAuth]: [different, replaced],
  },
  Esys_StartAuthSession: {
    [rc.handle]: [
      different,
      'the TPM has no storage root key where this was sealed: another TPM, or it was cleared',
    ],
    [rc.referenceH0]: [
      different,
      'the TPM has no storage root key where this was sealed: another TPM, or it was cleared',
    ],
    [rc.value]: [different, 'it can not read what is encrypted to its storage root key'],
    [rc.key]: [different, 'it can not read what is encrypted to its storage root key'],
    [rc.size]: [different, 'it can not read what is encrypted to its storage root key'],
  },
  Esys_LoadExternal: { [rc.value]: ['ERR_TPM_UNSUPPORTED', 'it refuses the public key of the policy'] },
  Esys_VerifySignature: {
    [rc.signature]: ['ERR_TPM_SIGNATURE_INVALID', "the signature is not by the policy's key"],
    [rc.size]: ['ERR_TPM_SIGNATURE_INVALID', "the signature has not the size of the policy's key"],
  },
  Esys_PolicyAuthorize: {
    [rc.value]: ['ERR_TPM_SIGNATURE_MISSING', 'what is signed is not the present state of the machine'],
    [rc.ticket]: ['ERR_TPM_SIGNATURE_INVALID', 'the signature was not verified by this TPM'],
  },
  Esys_Unseal: {
    [rc.authFail]: ['ERR_TPM_PIN_REJECTED', 'the PIN is wrong'],
    [rc.badAuth]: ['ERR_TPM_PIN_REJECTED', 'the PIN is wrong'],
  },
};

/** The TPM_RC in a TSS2_RC, without the number of the handle, parameter or session; undefined for other layers. */
export function tpmCode(responseCode: number): number | undefined {
  const from = (responseCode >>> 16) & 0xff;
  if (from !== layer.tpm && from !== layer.resourceManager && from !== layer.resourceManagerTpm)
    return undefined;
  // Bit 7 says which format it is: with it set, bit 6 and bits 8 to 11 say which parameter, handle or session it is about.
  return (responseCode & 0x80) === 0 ? responseCode & 0xfff : responseCode & 0xbf;
}

/** Gives a failure of the native layer its code and its words; whatever else is passed on. */
export function translated(failure: unknown, address: string): unknown {
  if (failure instanceof TpmCallError) {
    const [code, words] = meaning(failure);
    const detail =
      failure.responseCode === 0 ? '' : ` (${failure.call}: 0x${failure.responseCode.toString(16)})`;
    return new TpmError(code, `${address}: ${words}${detail}`, {
      responseCode: failure.responseCode,
      cause: failure,
    });
  }
  if (failure instanceof NativeError && failure.code === 'ERR_NATIVE_LIBRARY') {
    return new TpmError('ERR_TPM_LIBRARY', failure.message, { cause: failure });
  }
  return failure;
}

/** What the native layer found out by itself. */
const found: Readonly<Record<Exclude<TpmCondition, 'response'>, Meaning>> = {
  key: [
    different,
    'its storage root key is not the one this was sealed under: another TPM, or it was cleared',
  ],
  policy: ['ERR_TPM_PCR_MISMATCH', 'the policy is not fulfilled'],
  proof: ['ERR_TPM_FAILED', 'what was sealed did not come back as it was'],
  blob: ['ERR_TPM_BLOB_INVALID', 'the sealed bytes are no object of a TPM'],
};

function meaning(failure: TpmCallError): Meaning {
  return failure.condition === 'response' ? ofResponse(failure) : found[failure.condition];
}

function ofResponse({ call, responseCode }: TpmCallError): Meaning {
  const code = tpmCode(responseCode);
  if (code !== undefined) {
    const known = byCall[call]?.[code] ?? always[code];
    if (known !== undefined) return known;
    // Format-one codes of Load are complaints about what is in the blob.
    if (call === 'Esys_Load' && (code & 0x80) !== 0)
      return ['ERR_TPM_BLOB_INVALID', 'it refuses the sealed object'];
    return ['ERR_TPM_FAILED', 'it refused'];
  }
  const from = (responseCode >>> 16) & 0xff;
  const reason = responseCode & 0xffff;
  if (call === 'Tss2_TctiLdr_Initialize') return ['ERR_TPM_NOT_FOUND', 'no TPM 2.0 there'];
  // The library's own state is lost with the answer that it waited for.
  if (from === layer.tcti || (from === layer.esys && reason === base.badSequence))
    return ['ERR_TPM_UNREACHABLE', 'the connection broke'];
  if (reason === base.responseAuthFailed) {
    return [different, 'an answer was not by the TPM whose key this session is encrypted to'];
  }
  const garbled = reason === base.malformedResponse || reason === base.insufficientResponse;
  if (garbled || from === layer.sys || from === layer.mu) {
    return ['ERR_TPM_UNREACHABLE', 'it does not answer as a TPM 2.0 does'];
  }
  return ['ERR_TPM_FAILED', 'the TPM software stack refused'];
}

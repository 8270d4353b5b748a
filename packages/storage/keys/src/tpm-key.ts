import type { Token, TokenJson } from '@nodecore/luks';
import type { Secret } from '@nodecore/sys';
import type { SealedObject } from '@nodecore/tpm';

import { KeysError } from './errors.ts';
import type { KeyContext, KeySpecOf } from './key-spec.ts';
import type { KeyTpm, PcrSigning } from './sealers.ts';
import { readTalosTpm2Token } from './token/talos-tpm2-token.ts';
import { readTpm2Token, writeTpm2Token } from './token/tpm2-token.ts';

type TpmSpec = KeySpecOf<'tpm'>;

/**
 * Seals under the present state of the machine; the TPM has unsealed it once when this resolves. The secret stays the
 * caller's.
 *
 * @throws {KeysError} `ERR_KEYS_SECURE_BOOT` or `ERR_KEYS_NO_TPM`; what the TPM throws.
 */
export async function sealWithTpm(
  spec: TpmSpec,
  context: KeyContext,
  secret: Secret,
  signal: AbortSignal,
): Promise<TokenJson> {
  if (spec.checkSecurebootStatusOnEnroll) await checkSecureBoot(spec, context);
  const { publicKey, signatures } = await signing(context);
  await using tpm = await connect(spec, context, signal);
  const policy = { pcrs: spec.pcrs, ...(publicKey === undefined ? {} : { publicKey }) };
  const sealed = await tpm.seal(secret, policy, {
    ...(signatures === undefined ? {} : { signatures }),
    signal,
  });
  return writeTpm2Token(spec.lockToState === true ? 'nodecore-tpm2' : 'systemd-tpm2', sealed);
}

/**
 * Opens a connection to the TPM for this one operation. The secret is the caller's to dispose.
 *
 * @throws {KeysError} `ERR_KEYS_NO_TPM`, `ERR_KEYS_TOKEN_INVALID` or `ERR_KEYS_TOKEN_UNSUPPORTED`; what the TPM throws.
 */
export async function unsealWithTpm(
  spec: TpmSpec,
  context: KeyContext,
  token: Token,
  signal: AbortSignal,
): Promise<Secret> {
  const { publicKey, signatures } = await signing(context);
  const sealed = readSealed(token, publicKey);
  await using tpm = await connect(spec, context, signal);
  return await tpm.unseal(sealed, { ...(signatures === undefined ? {} : { signatures }), signal });
}

function readSealed({ json }: Token, publicKey: Uint8Array | undefined): SealedObject {
  return json.type === 'talos-tpm2' ? readTalosTpm2Token(json, publicKey) : readTpm2Token(json);
}

/** Asks the context anew at each call; empty without a boot image that carries signatures. */
export async function signing({ tpmSignatures }: KeyContext): Promise<PcrSigning> {
  return (await tpmSignatures?.()) ?? {};
}

/** How the policy of a token differs from the one the spec asks for now, in words; undefined when it does not. */
export async function policyChange(
  spec: TpmSpec,
  context: KeyContext,
  token: Token,
): Promise<string | undefined> {
  const { publicKey } = await signing(context);
  const sealed = readSealed(token, publicKey);
  const wanted = [...new Set(spec.pcrs)].sort((a, b) => a - b);
  if (wanted.join() !== [...sealed.pcrs].join()) {
    return `it is bound to ${inWords(sealed.pcrs)}, and configured for ${inWords(wanted)}`;
  }
  // Without a signing key at hand there is nothing better to seal under.
  const isSame =
    publicKey === undefined || Buffer.compare(publicKey, sealed.publicKey ?? Buffer.alloc(0)) === 0;
  return isSame ? undefined : 'the boot image has another signing key';
}

function inWords(pcrs: readonly number[]): string {
  return pcrs.length === 0 ? 'no PCR' : `PCR ${pcrs.join(', ')}`;
}

async function connect(spec: TpmSpec, { tpm }: KeyContext, signal: AbortSignal): Promise<KeyTpm> {
  if (tpm === undefined) throw new KeysError('ERR_KEYS_NO_TPM', 'there is no TPM', spec);
  return await tpm({ signal });
}

/** @throws {KeysError} `ERR_KEYS_SECURE_BOOT` unless only signed images can have been started. */
export async function checkSecureBoot(spec: TpmSpec, { secureBoot }: KeyContext): Promise<void> {
  const found = await secureBoot?.();
  if (found?.state === 'enabled' && !found.setupMode) return;
  const what = found === undefined ? 'unknown' : found.setupMode ? 'in setup mode' : found.state;
  throw new KeysError('ERR_KEYS_SECURE_BOOT', `enrolment wants Secure Boot, which is ${what}`, spec);
}

import { Authv1Error } from './errors.ts';
import {
  type HeaderReader,
  payloadHeader,
  signatureHeader,
  signatureVersion,
  timestampHeader,
} from './headers.ts';
import type { VerifyingKey } from './keys.ts';
import { checkPayload, readPayload } from './payload.ts';
import { maxSkewMs } from './skew.ts';

const maxIdentity = 254;
const maxSignature = 4096;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u;
const fingerprint = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/iu;

/** A call that says who signed it, and agrees with itself. Only {@link verifyCall} proves it. */
export type SignedCall = {
  readonly identity: string;
  /** Fingerprint of the key, hexadecimal in lower case. */
  readonly keyId: string;
  readonly payload: string;
  readonly signature: Uint8Array;
};

/** Whether a call has any of the headers of a signature. */
export function isSigned(headersOf: HeaderReader): boolean {
  return [timestampHeader, payloadHeader, signatureHeader].some((name) => headersOf(name).length > 0);
}

/**
 * Reads the signature of a call, and compares what was signed with what came: everything that needs no key.
 *
 * @param path of the method, `/package.Service/Method`.
 * @throws {Authv1Error} `ERR_AUTHV1_SIGNATURE`, with the same message whatever is wrong.
 */
export function readCall(path: string, headersOf: HeaderReader, nowMs: number): SignedCall {
  const [timestamp, payload, signature] = [timestampHeader, payloadHeader, signatureHeader].map((name) => {
    const values = headersOf(name);
    if (values.length !== 1) throw refusal();
    return values[0]!;
  }) as [string, string, string];
  if (!/^\d{1,12}$/u.test(timestamp)) throw refusal();
  if (Math.abs(nowMs - Number(timestamp) * 1000) > maxSkewMs) throw refusal();
  checkPayload(readPayload(payload), path, headersOf);
  return { payload, ...readSignature(signature) };
}

/** Exactly four parts with one blank between. */
function readSignature(text: string): Omit<SignedCall, 'payload'> {
  if (text.length > maxSignature) throw refusal();
  const [version, identity, keyId, encoded, ...rest] = text.split(' ');
  if (version !== signatureVersion || rest.length > 0) throw refusal();
  if (identity === undefined || identity === '' || identity.length > maxIdentity) throw refusal();
  if (keyId === undefined || !fingerprint.test(keyId)) throw refusal();
  if (encoded === undefined || encoded === '' || !base64.test(encoded)) throw refusal();
  return { identity, keyId: keyId.toLowerCase(), signature: Buffer.from(encoded, 'base64') };
}

/**
 * Proves that the key signed the call: over the bytes of the payload as they came, and while the key was valid.
 *
 * @throws {Authv1Error} `ERR_AUTHV1_SIGNATURE`.
 */
export async function verifyCall(call: SignedCall, key: VerifyingKey, nowMs: number): Promise<void> {
  const isRight =
    key.keyId === call.keyId && (await key.verifies(Buffer.from(call.payload), call.signature, nowMs));
  if (!isRight) throw refusal();
}

function refusal(): Authv1Error {
  return new Authv1Error('ERR_AUTHV1_SIGNATURE', 'the call is not signed as it came');
}

import { payloadHeader, signatureHeader, signatureVersion, timestampHeader } from './headers.ts';
import type { SigningKey } from './keys.ts';
import { type CallHeaders, payloadOf } from './payload.ts';

/** A call about to be made. */
export type CallToSign = {
  /** `/package.Service/Method` */
  readonly path: string;
  /** The headers that the call has. */
  readonly headers?: CallHeaders;
  readonly identity: string;
  readonly nowMs?: number;
};

/**
 * The headers that a signed call has besides its own.
 *
 * @example
 * using secret = Secret.take(await readFile('default-me@example.org.pgp'));
 * const key = await readSigningKey(secret);
 * const path = '/nodecore.fleet.v1.StateService/List';
 * const headers = await signCall(key, { path, identity: 'me@example.org' });
 */
export async function signCall(
  key: SigningKey,
  { path, headers = {}, identity, nowMs = Date.now() }: CallToSign,
): Promise<Readonly<Record<string, string>>> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const payload = payloadOf(path, { ...headers, [timestampHeader]: timestamp });
  const signature = Buffer.from(await key.sign(Buffer.from(payload), nowMs)).toString('base64');
  return {
    [timestampHeader]: timestamp,
    [payloadHeader]: payload,
    [signatureHeader]: `${signatureVersion} ${identity} ${key.keyId} ${signature}`,
  };
}

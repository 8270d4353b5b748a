import { Secret } from '@nodecore/sys';

import { checkBytes, checkEndpoint, checkSecret } from './arguments.ts';
import type { Endpoint } from '@nodecore/kms-endpoint';
import { KmsError } from './errors.ts';
import type { ClientOptions, SealRequest, UnsealRequest } from './options.ts';

/** The public protocol seals keys of this size and no others. */
export const keyBytes = 32;
/** What is stored in a token must fit into it; servers answer some dozens of bytes. */
export const maxBlobBytes: number = 64 << 10;

/**
 * Has a key server encrypt a key for one node.
 *
 * Opens a connection for this call and closes it, unless `connections` keeps one. Proxies named by the environment are not used: what they would be
 * shown are keys.
 *
 * @returns 1 to 65 536 bytes that are safe to store beside what the key protects.
 * @throws {KmsError}, or `signal.reason`.
 */
export async function seal(
  endpoint: Endpoint,
  { nodeUuid, data, volume }: SealRequest,
  options: ClientOptions = {},
): Promise<Uint8Array> {
  checkEndpoint(endpoint);
  checkSecret('data', data);
  if (data.sizeBytes !== keyBytes) throw new RangeError(`a key of ${keyBytes} bytes is sealed`);
  const { call } = await import('./call.ts');
  using answer = await call('seal', endpoint, { nodeUuid, data: data.bytes, volume }, options);
  checkBlob(endpoint, answer.bytes);
  // An echo is the one lie that can be seen at once, and would put the key on the disk in clear.
  if (answer.bytes.includes(data.bytes))
    throw new KmsError('ERR_KMS_ANSWER', endpoint.text, 'the sealed data has the key in clear');
  return Uint8Array.from(answer.bytes);
}

/**
 * Has a key server decrypt what it sealed. Same conduct as {@link seal}.
 *
 * @returns exactly 32 bytes, which the caller disposes. A server of another make may answer random ones when it
 *   refuses: whether they are the key shows only where it is used.
 */
export async function unseal(
  endpoint: Endpoint,
  { nodeUuid, data, volume }: UnsealRequest,
  options: ClientOptions = {},
): Promise<Secret> {
  checkEndpoint(endpoint);
  checkBytes('data', data);
  checkBlob(endpoint, data);
  const { call } = await import('./call.ts');
  const key = await call('unseal', endpoint, { nodeUuid, data, volume }, options);
  if (key.sizeBytes === keyBytes) return key;
  const { sizeBytes } = key;
  key[Symbol.dispose]();
  throw new KmsError(
    'ERR_KMS_ANSWER',
    endpoint.text,
    `a key has ${keyBytes} bytes, the answer has ${sizeBytes}`,
  );
}

function checkBlob({ text }: Endpoint, { byteLength }: Uint8Array): void {
  if (byteLength >= 1 && byteLength <= maxBlobBytes) return;
  const message = `sealed data has 1 to ${maxBlobBytes} bytes, not ${byteLength}`;
  throw new KmsError('ERR_KMS_ANSWER', text, message);
}

import * as kms from '@nodecore/kms';
import type { Token, TokenJson } from '@nodecore/luks';
import type { Secret } from '@nodecore/sys';

import { KeysError } from './errors.ts';
import type { KeyContext, KeySpecOf } from './key-spec.ts';
import type { KeyServer } from './sealers.ts';
import { readKmsToken, readSideroKmsToken, writeKmsToken } from './token/kms-token.ts';

type KmsSpec = KeySpecOf<'kms'>;

const network: KeyServer = {
  seal: (endpoint, request, options) => kms.seal(kms.parseEndpoint(endpoint), request, options),
  unseal: (endpoint, request, options) => kms.unseal(kms.parseEndpoint(endpoint), request, options),
};

/**
 * Has the key server seal the secret and unseal it once, before anything relies on the token. The secret stays the caller's.
 *
 * @throws {KeysError} `ERR_KEYS_UNPROVEN` when the server unseals something else; what the key server's client throws.
 */
export async function sealWithKms(
  spec: KmsSpec,
  context: KeyContext,
  secret: Secret,
  signal: AbortSignal,
): Promise<TokenJson> {
  const { endpoint } = spec;
  const server = context.keyServer ?? network;
  const sealed = await server.seal(endpoint, { ...subject(context), data: secret }, options(context, signal));
  const token = writeKmsToken({ sealed, endpoint });
  using again = await server.unseal(
    endpoint,
    { ...subject(context), data: sealed },
    options(context, signal),
  );
  if (again.equals(secret)) return token;
  const what = `${endpoint} does not give back what it sealed`;
  throw new KeysError('ERR_KEYS_UNPROVEN', what, spec);
}

/**
 * The server is that of the spec: the endpoint in the token is not trusted. The secret is the caller's to dispose.
 *
 * @throws {KeysError} `ERR_KEYS_TOKEN_INVALID` or `ERR_KEYS_TOKEN_UNSUPPORTED`; what the key server's client throws.
 */
export async function unsealWithKms(
  { endpoint }: KmsSpec,
  context: KeyContext,
  { json }: Token,
  signal: AbortSignal,
): Promise<Secret> {
  const { sealed } = json.type === 'sideroKMS' ? readSideroKmsToken(json) : readKmsToken(json);
  const server = context.keyServer ?? network;
  return await server.unseal(endpoint, { ...subject(context), data: sealed }, options(context, signal));
}

/** The endpoint that a token names as its sealer; undefined when it names none, or can't be read. */
export function sealedBy({ json }: Token): string | undefined {
  return json.type === 'nodecore-kms' && typeof json['endpoint'] === 'string' ? json['endpoint'] : undefined;
}

function subject({ machineUuid, volumeId }: KeyContext): { nodeUuid: string; volume: string } {
  return { nodeUuid: machineUuid, volume: volumeId };
}

function options({ kms }: KeyContext, signal: AbortSignal): kms.ClientOptions {
  return { ...kms, signal };
}

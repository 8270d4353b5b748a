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

/** Has the key server seal, and give it back once: a server that does not is found out before its answer is relied on. */
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

/** Whom a token says it was sealed by; undefined when it does not say, or can't be read. */
export function sealedBy({ json }: Token): string | undefined {
  return json.type === 'nodecore-kms' && typeof json['endpoint'] === 'string' ? json['endpoint'] : undefined;
}

function subject({ machineUuid, volumeId }: KeyContext): { nodeUuid: string; volume: string } {
  return { nodeUuid: machineUuid, volume: volumeId };
}

function options({ kms }: KeyContext, signal: AbortSignal): kms.ClientOptions {
  return { ...kms, signal };
}

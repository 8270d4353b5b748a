import type { CallSigner } from '@nodecore/api';
import {
  type KeyOwner,
  type KeysLocation,
  loadKey,
  readSigningKey,
  signCall,
  type SigningKey,
} from '@nodecore/authv1';

/**
 * Signs calls with the key of a context, which is read when the first call is made and kept with the signer.
 *
 * Every call rejects with `ERR_AUTHV1_NO_KEY`, which says which file was looked for, when there is none.
 *
 * @example
 * const sign = signer({ env: process.env }, { context: 'fleet', identity: 'me@example.org' });
 */
export function signer(location: KeysLocation, owner: KeyOwner): CallSigner {
  let loading: Promise<SigningKey> | undefined;
  return async (path, headers) => {
    loading ??= keyOf(location, owner);
    return await signCall(await loading, { path, headers, identity: owner.identity });
  };
}

async function keyOf(location: KeysLocation, owner: KeyOwner): Promise<SigningKey> {
  using secret = await loadKey(location, owner);
  return await readSigningKey(secret);
}

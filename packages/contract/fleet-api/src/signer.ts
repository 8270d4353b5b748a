import type { CallSigner } from '@nodecore/api';
import {
  decodeServiceAccount,
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

/**
 * Signs calls as a service account, as `FLEET_SERVICE_ACCOUNT_KEY` has it. Every call rejects with `ERR_AUTHV1_ACCOUNT` when it is none.
 *
 * @param text base64 of `{"name", "pgp_key"}`.
 */
export function accountSigner(text: string): CallSigner {
  let loading: Promise<{ readonly name: string; readonly key: SigningKey }> | undefined;
  return async (path, headers) => {
    loading ??= accountOf(text);
    const { name, key } = await loading;
    return await signCall(key, { path, headers, identity: name });
  };
}

async function accountOf(text: string): Promise<{ readonly name: string; readonly key: SigningKey }> {
  const { name, key } = decodeServiceAccount(text);
  using secret = key;
  return { name, key: await readSigningKey(secret) };
}

import type { TokenJson } from '@nodecore/luks';
import { Secret } from '@nodecore/sys';

import { checkSpecs } from './check-spec.ts';
import { derivedKey } from './derived-key.ts';
import { isRandomKey } from './key-costs.ts';
import type { KeyContext, KeySpec } from './key-spec.ts';
import { keyText } from './key-text.ts';
import { sealWithKms } from './kms-key.ts';
import { locked, lockOf } from './lock-to-state.ts';
import { sealWithTpm } from './tpm-key.ts';
import { type KeyOptions, within } from './within.ts';

/** A key for a keyslot that is to be filled. Disposing it wipes the key. */
export type NewKey = Disposable & {
  readonly key: Secret;
  /** What the key will be recovered from, assigned to no keyslot yet; undefined for kinds that need nothing. */
  readonly token?: TokenJson;
  /** It has 256 random bits, so that its keyslot may be cheap to open. */
  readonly isRandom: boolean;
};

const materialBytes = 32;

/**
 * Makes the key of a spec. Where it is sealed, it is new, random, and has been unsealed once when this resolves.
 *
 * @throws {KeysError} with the slot and the kind; {TpmError} and {KmsError} as they are.
 */
export async function create(spec: KeySpec, context: KeyContext, options: KeyOptions = {}): Promise<NewKey> {
  checkSpecs([spec], context);
  return await within(spec, options, async (signal) => {
    const salt = lockOf(spec, context);
    if (spec.kind === 'static' || spec.kind === 'nodeID') {
      return newKey(spec, locked(derivedKey(spec, context), salt));
    }
    using material = Secret.random(materialBytes);
    const token = await (spec.kind === 'kms'
      ? sealWithKms(spec, context, material, signal)
      : sealWithTpm(spec, context, material, signal));
    return newKey(spec, locked(keyText(material), salt), token);
  });
}

function newKey(spec: KeySpec, key: Secret, token?: TokenJson): NewKey {
  return {
    key,
    isRandom: isRandomKey(spec),
    ...(token === undefined ? {} : { token }),
    [Symbol.dispose]: () => key[Symbol.dispose](),
  };
}

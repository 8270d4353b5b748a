import type { Token } from '@nodecore/luks';
import type { Secret } from '@nodecore/sys';

import { checkSpecs } from './check-spec.ts';
import { derivedKey } from './derived-key.ts';
import { KeysError } from './errors.ts';
import type { KeyContext, KeySpec } from './key-spec.ts';
import { keyText } from './key-text.ts';
import { unsealWithKms } from './kms-key.ts';
import { locked, lockOf } from './lock-to-state.ts';
import { usableTypes } from './token/token-kinds.ts';
import { unsealWithTpm } from './tpm-key.ts';
import { type KeyOptions, within } from './within.ts';

/**
 * The key of a spec, as it was made: derived again, or recovered from one of the slot's tokens, the first that gives
 * one. The secret belongs to the caller.
 *
 * @throws {KeysError} with the slot and the kind; {TpmError} and {KmsError} as they are: the error of the last token.
 */
export async function recover(
  spec: KeySpec,
  context: KeyContext,
  tokens: readonly Token[],
  options: KeyOptions = {},
): Promise<Secret> {
  checkSpecs([spec], context);
  let failure: unknown;
  for (const token of sourcesOf(spec, tokens)) {
    try {
      return await recoverFrom(spec, context, token, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      failure = error;
    }
  }
  throw failure;
}

/** Where a key may come from: each usable token, or just once nothing (`undefined`) where none is needed. */
export function sourcesOf(spec: KeySpec, tokens: readonly Token[]): readonly (Token | undefined)[] {
  const types = usableTypes(spec);
  const usable = tokens.filter(({ json }) => types.includes(json.type));
  return usable.length === 0 ? [undefined] : usable;
}

/** The key from one token; without a token only that of a kind that needs none. */
export async function recoverFrom(
  spec: KeySpec,
  context: KeyContext,
  token: Token | undefined,
  options: KeyOptions,
): Promise<Secret> {
  return await within(spec, options, async (signal) => {
    const salt = lockOf(spec, context);
    if (spec.kind === 'static' || spec.kind === 'nodeID') return locked(derivedKey(spec, context), salt);
    if (token === undefined) {
      throw new KeysError('ERR_KEYS_TOKEN_MISSING', 'its keyslot has no token to recover it from', spec);
    }
    using material = await (spec.kind === 'kms'
      ? unsealWithKms(spec, context, token, signal)
      : unsealWithTpm(spec, context, token, signal));
    return locked(keyText(material), salt);
  });
}

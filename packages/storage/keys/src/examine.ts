import type { Token } from '@nodecore/luks';
import { codeOf, type Secret } from '@nodecore/sys';

import { KeysError } from './errors.ts';
import type { KeyContext, KeySpec } from './key-spec.ts';
import type { HeaderState, KeyslotStore } from './keyslot-store.ts';
import { sealedBy } from './kms-key.ts';
import { recoverFrom, sourcesOf } from './recover.ts';
import type { Verdict } from './situation.ts';
import { tokensOf } from './token/token-kinds.ts';
import { policyChange } from './tpm-key.ts';
import type { KeyOptions } from './within.ts';

/** What a key is examined with. */
export type Examination = {
  readonly store: KeyslotStore;
  readonly header: HeaderState;
  readonly context: KeyContext;
  readonly options: KeyOptions;
  /** The key that is known to open the keyslot: saves a key derivation. */
  readonly known: Secret | undefined;
};

/** `key` is the one that opens the keyslot, where there is one: the caller's to wipe. */
export type Examined = { readonly verdict: Verdict; readonly key: Secret | undefined };

/**
 * Whether the configured key opens its keyslot, under the conditions that are configured.
 *
 * @throws whatever keeps it from being told: a key server that is down, a TPM that is locked. Nothing is known then.
 */
export async function examine(spec: KeySpec, examination: Examination): Promise<Examined> {
  const { store, header, context, options, known } = examination;
  const { slot } = spec;
  const problems: unknown[] = [];
  for (const token of sourcesOf(spec, tokensOf(slot, header.tokens))) {
    let key: Secret | undefined;
    try {
      key = await recoverFrom(spec, context, token, options);
      const { signal } = options;
      const opens =
        known?.equals(key) ?? (await store.test({ slot, key, ...(signal === undefined ? {} : { signal }) }));
      if (!opens) throw new KeysError('ERR_KEYS_REJECTED', 'its keyslot does not open with it', spec);
      const change = spec.kind === 'tpm' && token !== undefined && (await policyChange(spec, context, token));
      const verdict: Verdict = typeof change === 'string' ? { is: 'stale', reason: change } : { is: 'valid' };
      return { verdict, key };
    } catch (error) {
      key?.[Symbol.dispose]();
      options.signal?.throwIfAborted();
      if (!meansStale(spec, token, error)) throw error;
      problems.push(error);
    }
  }
  const reason = problems.map((error) => (error instanceof Error ? error.message : String(error))).join('; ');
  return { verdict: { is: 'stale', reason }, key: undefined };
}

/** Errors after which the same token will never give the key of this keyslot again, on this machine as it is now. */
const final: ReadonlySet<string> = new Set([
  'ERR_KEYS_REJECTED',
  'ERR_KEYS_TOKEN_MISSING',
  'ERR_KEYS_TOKEN_INVALID',
  'ERR_TPM_PCR_MISMATCH',
  'ERR_TPM_DIFFERENT',
  'ERR_TPM_BLOB_INVALID',
]);

/** Whether an error means that the key needs to be made anew, rather than that it can't be had at the moment. */
export function meansStale(spec: KeySpec, token: Token | undefined, error: unknown): boolean {
  const code = codeOf(error) ?? '';
  if (final.has(code)) return true;
  // Another server than the one that sealed it can't unseal it.
  return (
    code === 'ERR_KMS_REFUSED' &&
    spec.kind === 'kms' &&
    token !== undefined &&
    sealedBy(token) !== undefined &&
    sealedBy(token) !== spec.endpoint
  );
}

import {
  encodeServiceAccount,
  generateSigningKey,
  readVerifyingKey,
  serviceAccountIdentity,
} from '@nodecore/authv1';
import { identities, publicKeys, type PublicKeySpec } from '@nodecore/fleet-api';
import { writeFileAtomic } from '@nodecore/sys';

import { auditOperation, fleetItself } from '../audit/event.ts';
import type { Fleet } from '../feature.ts';
import { createKey, createUser, keyOf } from './account.ts';
import type { OneTimeCodes } from './one-time-codes.ts';

/** The first key is for making others. */
const firstKeyMs = 24 * 3_600_000;

/** Makes the accounts that the configuration asks for, so that somebody can get in. */
export async function makeFirstAccounts(fleet: Fleet, codes: OneTimeCodes): Promise<void> {
  const { initialUser, initialServiceAccount } = fleet.configuration;
  if (initialServiceAccount !== undefined) await makeServiceAccount(fleet, initialServiceAccount);
  if (initialUser !== undefined) await makeUser(fleet, initialUser, codes);
}

/** A new code at every start: without a login service there is no other way in for a user whose key has expired. */
async function makeUser(
  { state, clock, announce }: Fleet,
  identity: string,
  codes: OneTimeCodes,
): Promise<void> {
  const key = keyOf(identities, identity);
  if ((await state.get(key)) === undefined) {
    const audit = auditOperation({ eventType: 'create', key, detail: 'Admin' }, fleetItself, clock.now());
    await state.transaction([...createUser(identity, 'Admin'), audit]);
  }
  announce(`code for ${identity}, good once: ${codes.issue(identity)}`);
}

/** The file is written before the account: what a crash leaves is a key that nobody knows, and the next start makes another. */
async function makeServiceAccount(
  { state, clock, log }: Fleet,
  { name, keyPath }: { readonly name: string; readonly keyPath: string },
): Promise<void> {
  const identity = serviceAccountIdentity(name);
  const now = clock.now();
  const { resources } = await state.list({ namespace: publicKeys.defaultNamespace, type: publicKeys.type });
  const isUsable = resources
    .map(({ spec }) => spec as PublicKeySpec)
    .some((key) => key.identity === identity && Date.parse(key.expiration) > now);
  if (isUsable) return;
  const { secret, publicKey } = await generateSigningKey({
    name: 'nodecore-fleet',
    email: identity,
    lifetimeMs: firstKeyMs,
    nowMs: now,
  });
  using _secret = secret;
  using text = encodeServiceAccount({ name: identity, key: secret });
  await writeFileAtomic(keyPath, text.bytes, { mode: 0o600 });
  const isKnown = (await state.get(keyOf(identities, identity))) !== undefined;
  const operation = createKey(await readVerifyingKey(publicKey), identity, 'Admin');
  await state.transaction([
    ...(isKnown ? [] : createUser(identity, 'Admin')),
    operation,
    auditOperation(
      { eventType: 'create', key: operation.key, detail: `key of ${identity}` },
      fleetItself,
      now,
    ),
  ]);
  log.info({ identity, file: keyPath }, 'key of the first service account written');
}

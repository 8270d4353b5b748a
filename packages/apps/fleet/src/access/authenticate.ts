import {
  Authv1Error,
  generateSigningKey,
  isSigned,
  readCall,
  readVerifyingKey,
  type SignedCall,
  verifyCall,
  type VerifyingKey,
} from '@nodecore/authv1';
import {
  identities,
  type IdentitySpec,
  lesserRole,
  parseRole,
  publicKeys,
  type PublicKeySpec,
  users,
  type UserSpec,
} from '@nodecore/fleet-api';
import type { Key, State } from '@nodecore/state';
import type { Clock } from '@nodecore/waiting';

import { FleetError } from '../errors.ts';
import type { Authenticate } from '../server/guard.ts';
import { type Caller, nobody } from './caller.ts';

type Signer = Pick<SignedCall, 'identity' | 'keyId'>;
type Account = { readonly key: PublicKeySpec; readonly user: UserSpec };

/** Parsed keys that are kept: parsing costs as much as verifying. */
const maxParsed = 1000;

/**
 * The one door: who signed a call, and what they may do now. A call without any header of a signature is nobody's; one with a
 * signature that is not right is refused, with one message whatever is wrong, and after the same work whether its key is known or not.
 */
export function authenticator(options: { readonly state: State; readonly clock: Clock }): Authenticate {
  const { state, clock } = options;
  const parsed = new ParsedKeys();
  return async ({ path, metadata }) => {
    const headersOf = (name: string): readonly string[] => metadata.get(name).map(String);
    if (!isSigned(headersOf)) return nobody;
    const now = clock.now();
    try {
      const call = readCall(path, headersOf, now);
      const account = await accountOf(state, call, now);
      const verifier =
        account === undefined ? await parsed.ofNobody(call.keyId) : await parsed.of(account.key.publicKey);
      await verifyCall(call, verifier, now);
      if (account === undefined) throw unknown();
      return callerOf(call, account);
    } catch (error) {
      throw error instanceof Authv1Error ? unknown() : error;
    }
  };
}

/** What a signer may do now, who proved to be that before; undefined when the key, the identity or the user is gone. */
export async function currentCaller(
  state: State,
  signer: Signer,
  nowMs: number,
): Promise<Caller | undefined> {
  const account = await accountOf(state, signer, nowMs);
  return account === undefined ? undefined : callerOf(signer, account);
}

async function accountOf(state: State, call: Signer, nowMs: number): Promise<Account | undefined> {
  const [key, identity] = await Promise.all([
    state.get(keyOf(publicKeys, call.keyId)),
    state.get(keyOf(identities, call.identity)),
  ]);
  if (key === undefined || identity === undefined) return undefined;
  const user = await state.get(keyOf(users, (identity.spec as IdentitySpec).userId));
  if (user === undefined) return undefined;
  const spec = key.spec as PublicKeySpec;
  const isRunning = [key, identity, user].every(({ metadata }) => metadata.phase === 'running');
  const isValid = spec.identity === call.identity && nowMs < Date.parse(spec.expiration);
  return isRunning && isValid ? { key: spec, user: user.spec as UserSpec } : undefined;
}

function callerOf({ identity, keyId }: Signer, { key, user }: Account): Caller {
  const role = lesserRole(parseRole(user.role) ?? 'None', parseRole(key.role) ?? 'None');
  return { identity, role, keyId };
}

/** The key of a resource in its default namespace. */
function keyOf(definition: { readonly type: string; readonly defaultNamespace: string }, id: string): Key {
  return { namespace: definition.defaultNamespace, type: definition.type, id };
}

class ParsedKeys {
  readonly #byText = new Map<string, Promise<VerifyingKey>>();
  #nobody: Promise<VerifyingKey> | undefined;

  of(armored: string): Promise<VerifyingKey> {
    const known = this.#byText.get(armored);
    if (known !== undefined) return known;
    if (this.#byText.size >= maxParsed) this.#byText.delete(this.#byText.keys().next().value!);
    const key = readVerifyingKey(armored);
    this.#byText.set(armored, key);
    return key;
  }

  /** A key that nobody has, under the fingerprint that was asked for. */
  async ofNobody(keyId: string): Promise<VerifyingKey> {
    this.#nobody ??= keyOfNobody();
    return { ...(await this.#nobody), keyId };
  }
}

async function keyOfNobody(): Promise<VerifyingKey> {
  const email = 'nobody@fleet.invalid';
  const { secret, publicKey } = await generateSigningKey({
    name: 'nobody',
    email,
    lifetimeMs: 10 * 365 * 86_400_000,
  });
  secret[Symbol.dispose]();
  return await readVerifyingKey(publicKey);
}

function unknown(): FleetError {
  return new FleetError(
    'ERR_FLEET_UNAUTHENTICATED',
    'the signature of the call is not one of a key that is known here',
  );
}

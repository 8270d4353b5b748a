import { identities, parseRole, publicKeys, type PublicKeySpec } from '@nodecore/fleet-api';
import type {
  AuthServiceHandlers,
  AwaitPublicKeyConfirmationRequest,
  ConfirmPublicKeyRequest,
  RegisterPublicKeyRequest,
  RevokePublicKeyRequest,
} from '@nodecore/fleet-api/protocol';

import { auditOperation } from '../audit/event.ts';
import { FleetError } from '../errors.ts';
import type { Fleet } from '../feature.ts';
import { type HandlerOptions, unary } from '../server/handlers.ts';
import { checkedKey, createKey, keyOf, maxUserKeyMs } from './account.ts';
import type { OneTimeCodes } from './one-time-codes.ts';
import type { PendingKeys } from './pending-keys.ts';

const email = /^[^\s@<>]{1,120}@[^\s@<>]{1,120}$/u;
const confirmationMs = 5 * 60_000;

/** Keys of users, from the offer to the end. */
export function authService(
  { state, clock, configuration }: Fleet,
  { pending, codes }: { readonly pending: PendingKeys; readonly codes: OneTimeCodes },
  options: HandlerOptions,
): Omit<AuthServiceHandlers, 'createWebLogin'> {
  return {
    registerPublicKey: unary(options, async (request: RegisterPublicKeyRequest, { peer }) => {
      const { identity } = request;
      if (!email.test(identity))
        throw new FleetError('ERR_FLEET_REQUEST', 'the identity is no e-mail address');
      const role = request.role === '' ? 'Admin' : parseRole(request.role);
      if (role === undefined) throw new FleetError('ERR_FLEET_REQUEST', 'there is no such role');
      const nowMs = clock.now();
      const key = await checkedKey(request.publicKey, { identity, maxMs: maxUserKeyMs, nowMs });
      // Whether anybody knows the identity is not told.
      pending.add({ key, identity, role }, peer.replace(/:\d+$/u, ''));
      return {
        keyId: key.keyId,
        loginUrl: new URL(`/login?key=${key.keyId}`, configuration.advertisedUrl).href,
      };
    }),

    awaitPublicKeyConfirmation: unary(
      options,
      async ({ keyId }: AwaitPublicKeyConfirmationRequest, { signal }) => {
        const late = AbortSignal.timeout(confirmationMs);
        try {
          if (await pending.wait(keyId, AbortSignal.any([signal, late]))) return {};
        } catch (error) {
          if (!late.aborted) throw error;
          throw new FleetError('ERR_FLEET_TIMEOUT', 'nobody confirmed the key within five minutes');
        }
        if ((await state.get(keyOf(publicKeys, keyId))) !== undefined) return {};
        throw new FleetError('ERR_FLEET_NOT_FOUND', 'no such key waits to be confirmed');
      },
    ),

    confirmPublicKey: unary(options, async ({ keyId, code }: ConfirmPublicKeyRequest) => {
      const offered = pending.get(keyId);
      const isKnown = (await state.get(keyOf(identities, offered?.identity ?? 'nobody'))) !== undefined;
      if (offered === undefined || !isKnown || !codes.matches(offered.identity, code))
        throw new FleetError('ERR_FLEET_UNAUTHENTICATED', 'no such key waits, or this is not its code');
      const { key, identity, role } = offered;
      codes.spend(identity); // in the same turn as the look at it: of two calls at once one is too late
      const operation = createKey(key, identity, role);
      const actor = { identity, role, keyId };
      const change = { eventType: 'create', key: operation.key, detail: `key of ${identity}` };
      await state.transaction([operation, auditOperation(change, actor, clock.now())]);
      pending.confirmed(keyId);
      return {};
    }),

    revokePublicKey: unary(options, async ({ keyId }: RevokePublicKeyRequest, { caller }) => {
      const key = keyOf(publicKeys, keyId.toLowerCase());
      const present = await state.get(key);
      const owner = (present?.spec as PublicKeySpec | undefined)?.identity;
      // Of keys of others nobody but an administrator learns whether they are there.
      if (present === undefined || (owner !== caller.identity && caller.role !== 'Admin'))
        throw new FleetError('ERR_FLEET_NOT_FOUND', 'you have no such key');
      const change = { eventType: 'destroy', key, detail: `key of ${owner}` };
      await state.transaction([{ op: 'destroy', key }, auditOperation(change, caller, clock.now())]);
      return {};
    }),
  };
}

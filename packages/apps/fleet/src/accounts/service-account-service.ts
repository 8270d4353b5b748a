import { serviceAccountIdentity } from '@nodecore/authv1';
import {
  identities,
  type IdentitySpec,
  lesserRole,
  parseRole,
  publicKeys,
  type PublicKeySpec,
  users,
} from '@nodecore/fleet-api';
import type {
  CreateServiceAccountRequest,
  DestroyServiceAccountRequest,
  ManagementServiceHandlers,
} from '@nodecore/fleet-api/protocol';
import type { Operation } from '@nodecore/state';

import { auditOperation } from '../audit/event.ts';
import { FleetError } from '../errors.ts';
import type { Fleet } from '../feature.ts';
import { type HandlerOptions, unary } from '../server/handlers.ts';
import { checkedKey, createKey, createUser, keyOf, maxServiceKeyMs } from './account.ts';

type Handlers = Pick<ManagementServiceHandlers, 'createServiceAccount' | 'destroyServiceAccount' | 'whoAmI'>;

/** Accounts of programs, and who a caller is. */
export function serviceAccountService({ state, clock }: Fleet, options: HandlerOptions): Handlers {
  return {
    createServiceAccount: unary(options, async (request: CreateServiceAccountRequest, { caller }) => {
      const identity = serviceAccountIdentity(request.name);
      const asked = request.role === '' ? caller.role : parseRole(request.role);
      if (asked === undefined) throw new FleetError('ERR_FLEET_REQUEST', 'there is no such role');
      const role = lesserRole(asked, caller.role);
      const nowMs = clock.now();
      const key = await checkedKey(request.publicKey, { identity, maxMs: maxServiceKeyMs, nowMs });
      if ((await state.get(keyOf(identities, identity))) !== undefined)
        throw new FleetError('ERR_FLEET_EXISTS', `there is a service account "${request.name}"`);
      const change = { eventType: 'create', key: keyOf(identities, identity), detail: role };
      await state.transaction([
        ...createUser(identity, role),
        createKey(key, identity, role),
        auditOperation(change, caller, nowMs),
      ]);
      return { identity, keyId: key.keyId, expiresMillis: BigInt(key.expiresMs) };
    }),

    destroyServiceAccount: unary(options, async ({ name }: DestroyServiceAccountRequest, { caller }) => {
      const identity = serviceAccountIdentity(name);
      const present = await state.get(keyOf(identities, identity));
      if (present === undefined)
        throw new FleetError('ERR_FLEET_NOT_FOUND', `there is no service account "${name}"`);
      const { resources } = await state.list({
        namespace: publicKeys.defaultNamespace,
        type: publicKeys.type,
      });
      const keys = resources.filter(({ spec }) => (spec as PublicKeySpec).identity === identity);
      const gone = [
        present.metadata,
        keyOf(users, (present.spec as IdentitySpec).userId),
        ...keys.map(({ metadata }) => metadata),
      ].map(({ namespace, type, id }): Operation => ({ op: 'destroy', key: { namespace, type, id } }));
      const change = { eventType: 'destroy', key: keyOf(identities, identity) };
      await state.transaction([...gone, auditOperation(change, caller, clock.now())]);
      return {};
    }),

    whoAmI: unary(options, async (_request, { caller }) => caller),
  };
}

import { defaultJoinTokens, joinTokens } from '@nodecore/fleet-api';
import type { Key } from '@nodecore/state';

import { auditOperation, fleetItself } from '../audit/event.ts';
import type { Fleet } from '../feature.ts';
import { kindOf, newJoinToken } from './join-token.ts';

/** The one resource that names the default token. */
export const defaultTokenKey: Key = { ...kindOf(defaultJoinTokens), id: 'default' };

/** A fleet has a token from the beginning, so that an image can be made for it. */
export async function ensureDefaultToken({ state, clock }: Pick<Fleet, 'state' | 'clock'>): Promise<void> {
  if ((await state.get(defaultTokenKey)) !== undefined) return;
  const key = { ...kindOf(joinTokens), id: newJoinToken() };
  await state.transaction([
    { op: 'create', key, spec: { name: 'initial token', revoked: false } },
    { op: 'create', key: defaultTokenKey, spec: { tokenId: key.id } },
    // A token is a secret that readers may see; the record of what was done is kept longer than it.
    auditOperation({ eventType: 'create', key: { ...key, id: 'initial token' } }, fleetItself, clock.now()),
  ]);
}

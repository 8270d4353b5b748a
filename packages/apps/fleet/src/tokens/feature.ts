import { defaultJoinTokens, joinTokens } from '@nodecore/fleet-api';
import { ManagementService } from '@nodecore/fleet-api/protocol';

import type { Feature } from '../feature.ts';
import { servicePart } from '../server/service-part.ts';
import { tokenService } from './token-service.ts';
import { ensureDefaultToken } from './default-token.ts';

/** Tokens by which machines join. */
export const tokens: Feature = {
  name: 'tokens',
  definitions: [joinTokens, defaultJoinTokens],
  make: (fleet) => ({
    prepare: async () => await ensureDefaultToken(fleet),
    services: (options) => [servicePart(ManagementService, tokenService(fleet, options))],
  }),
};

import { identities, publicKeys, users } from '@nodecore/fleet-api';
import { AuthService, ManagementService } from '@nodecore/fleet-api/protocol';

import type { Feature } from '../feature.ts';
import { servicePart } from '../server/service-part.ts';
import { authService } from './auth-service.ts';
import { makeFirstAccounts } from './first-accounts.ts';
import { OneTimeCodes } from './one-time-codes.ts';
import { PendingKeys } from './pending-keys.ts';
import { serviceAccountService } from './service-account-service.ts';

/** Users, service accounts and their keys. */
export const accounts: Feature = {
  name: 'accounts',
  definitions: [users, identities, publicKeys],
  make: (fleet) => {
    const codes = new OneTimeCodes();
    const pending = new PendingKeys(fleet.clock);
    return {
      prepare: async () => await makeFirstAccounts(fleet, codes),
      services: (options) => [
        servicePart(AuthService, authService(fleet, { pending, codes }, options)),
        servicePart(ManagementService, serviceAccountService(fleet, options)),
      ],
    };
  },
};

import { z, type ZodType } from 'zod';

import { apiVersion, secretText } from './common.ts';

/** Shape of a `LinkAgentConfig`. The URL carries the join token, so all of it is secret. */
export const linkAgentSchema: ZodType = z.strictObject({
  apiVersion,
  kind: z.literal('LinkAgentConfig'),
  apiUrl: secretText(
    'where the fleet manager is, with the token to join it: https://fleet.example:443/?jointoken=TOKEN',
  ),
});

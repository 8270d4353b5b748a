import { z, type ZodType } from 'zod';

import { apiVersion, documentName } from './common.ts';

export const trustedRootsSchema: ZodType = z.strictObject({
  apiVersion,
  kind: z.literal('TrustedRootsConfig'),
  name: documentName,
  certificates: z.string().meta({
    minLength: 1,
    description:
      'PEM certificates of authorities that are trusted beside the public ones; # begins a comment',
  }),
});

import { z, type ZodType } from 'zod';

import { apiVersion, documentName } from './common.ts';

/** Shape of a `TrustedRootsConfig`; each certificate in the bundle is checked by `readTrustedRoots`. */
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

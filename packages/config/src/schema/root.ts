import { z, type ZodType } from 'zod';

import { secretText } from './common.ts';

const certificate = z.string().meta({ description: 'PEM certificate in base64' });

export const rootSchema: ZodType = z.strictObject({
  version: z.literal('v1alpha1'),
  machine: z.strictObject({
    type: z.enum(['controlplane', 'worker']),
    token: secretText('lets a machine join').optional(),
    ca: z.strictObject({ crt: certificate, key: secretText('PEM private key in base64') }),
    acceptedCAs: z.array(z.strictObject({ crt: certificate })).optional(),
    certSANs: z.array(z.string()).optional(),
  }),
  cluster: z
    .strictObject({
      id: z.string().optional(),
      secret: secretText('32 bytes in base64').optional(),
      clusterName: z.string().optional(),
      controlPlane: z.strictObject({ endpoint: z.string() }).optional(),
    })
    .optional(),
});

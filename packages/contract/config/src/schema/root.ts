import { z, type ZodType } from 'zod';

import { documentName, secretText } from './common.ts';

const certificate = z.string().meta({ description: 'PEM certificate in base64' });

const authority = z.strictObject({ crt: certificate, key: secretText('PEM private key in base64') });

const kvstore = z.strictObject({
  ca: authority,
  program: z.string().optional().meta({ description: 'path of etcd 3.5 or newer (default: in the path)' }),
  volume: documentName
    .optional()
    .meta({ description: 'name of the user volume that holds the data (default: EPHEMERAL)' }),
  endpoints: z
    .array(z.string())
    .optional()
    .meta({ description: 'client URLs of members; a node without data joins them' }),
  advertisedSubnets: z.array(z.string()).optional().meta({ description: '10.0.0.0/8, or !10.1.0.0/16' }),
  listenSubnets: z.array(z.string()).optional().meta({ description: 'as advertisedSubnets; none: all' }),
  extraArgs: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: 'more flags of etcd, without their dashes' }),
  snapshots: z
    .strictObject({
      interval: z.string().meta({ description: 'from one to the next, at least 1m (6h0m0s)' }),
      keep: z.int().optional().meta({ description: 'so many, the newest (default: 28)' }),
      volume: documentName
        .optional()
        .meta({ description: 'name of the user volume that holds them (default: where the data is)' }),
      rehearse: z.string().optional().meta({
        description:
          'a copy of one is restored and started apart so often, at least 1h (24h0m0s; default: never)',
      }),
    })
    .optional(),
  defragmentation: z
    .strictObject({
      interval: z.string().meta({ description: 'from one to the next, at least 1h (24h0m0s)' }),
    })
    .optional(),
});

/** Shape of the root document, which has `version` and neither `apiVersion` nor `kind`. */
export const rootSchema: ZodType = z.strictObject({
  version: z.literal('v1alpha1'),
  machine: z.strictObject({
    type: z.enum(['controlplane', 'worker']),
    token: secretText('lets a machine join').optional(),
    ca: authority,
    acceptedCAs: z.array(z.strictObject({ crt: certificate })).optional(),
    certSANs: z.array(z.string()).optional(),
  }),
  cluster: z
    .strictObject({
      id: z.string().optional(),
      secret: secretText('32 bytes in base64').optional(),
      clusterName: z.string().optional(),
      controlPlane: z.strictObject({ endpoint: z.string() }).optional(),
      kvstore: kvstore.optional(),
    })
    .optional(),
});

import { type CallOptions, type Client, listAll } from '@nodecore/api';

import { fieldsOf } from '../output/fields.ts';

/** The ids of the disks that a node runs from. */
export async function systemDisks(client: Client, options: CallOptions): Promise<ReadonlySet<unknown>> {
  const { resources } = await listAll(client, { type: 'SystemDisks.block.nodecore.dev' }, options);
  return new Set(resources.map((resource) => fieldsOf(resource)['diskID']));
}

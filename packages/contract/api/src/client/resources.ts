import type { Bookmark, Resource } from '../../gen/nodecore-v1.js';
import { definitionNamespace, definitionType, type ResourceDefinition } from '../definition.ts';
import { decodeSpec } from '../spec.ts';
import type { CallOptions } from './channel.ts';
import type { Client } from './connect.ts';

/** All resources of a type, sorted by id, and where a watch goes on from. */
export async function listAll(
  client: Pick<Client, 'list'>,
  request: { readonly type: string; readonly namespace?: string | undefined },
  options: CallOptions = {},
): Promise<{ readonly resources: readonly Resource[]; readonly bookmark: Bookmark | undefined }> {
  const all: Resource[] = [];
  let last: Bookmark | undefined;
  for await (const { resources, bookmark } of client.list(request, options)) {
    all.push(...resources);
    last = bookmark;
  }
  return { resources: all, bookmark: last };
}

/** The types of resources the node has. */
export async function listDefinitions(
  client: Pick<Client, 'list'>,
  options: CallOptions = {},
): Promise<ResourceDefinition[]> {
  const request = { type: definitionType, namespace: definitionNamespace };
  const { resources } = await listAll(client, request, options);
  return resources.map(({ spec }) => decodeSpec(spec) as ResourceDefinition);
}

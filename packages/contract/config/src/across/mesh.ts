import { type Documents } from './documents.ts';

/** Reports a mesh whose members can not find each other, and a discovery service without an identity. */
export function checkMesh(documents: Documents): void {
  const mesh = documents.one('MeshConfig');
  const [service] = documents.of('DiscoveryServiceConfig');
  if (mesh?.value.enabled === true && service === undefined)
    documents.lacks(
      mesh.at.at('enabled'),
      'mesh.discovery',
      'needs a DiscoveryServiceConfig, by which members find each other',
    );
  if (service !== undefined && documents.one('DiscoveryIdentityConfig') === undefined)
    documents.lacks(
      service.at,
      'discovery.identity',
      'needs a DiscoveryIdentityConfig: which cluster the node is of',
    );
}

import { stringify } from 'yaml';

import type { NodeSecrets } from './secrets.ts';

/** A cluster's root document with its secrets, and trims once a week: what a node needs that has no orchestrator. Unchecked. */
export function nodeText(
  {
    name,
    endpoint,
    additionalSans,
  }: { readonly name: string; readonly endpoint: string; readonly additionalSans: readonly string[] },
  { cluster, trustdinfo, certs }: NodeSecrets,
): string {
  const root = {
    version: 'v1alpha1',
    machine: {
      type: 'controlplane',
      token: trustdinfo.token,
      ca: certs.os,
      ...(additionalSans.length === 0 ? {} : { certSANs: additionalSans }),
    },
    cluster: {
      ...cluster,
      kvstore: { ca: certs.kvstore },
      clusterName: name,
      controlPlane: { endpoint },
    },
  };
  const comment = '# Holds the keys of the cluster. Add volume documents below, each after a line with ---\n';
  // Nodes that were there before the document existed are not trimmed; new ones are, once a week.
  const trims = { apiVersion: 'v1alpha1', kind: 'FilesystemTrimConfig', interval: '168h0m0s' };
  return `${comment}${stringify(root, { lineWidth: 0 })}---\n${stringify(trims)}`;
}

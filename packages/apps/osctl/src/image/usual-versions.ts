/** Versions of what is no part of the orchestrator itself, unless others are given. */
export const usualVersions = {
  kvstore: '3.6.4-0',
  flannel: 'v0.27.4',
  coredns: 'v1.13.1',
  kubeNetworkPolicies: 'v0.9.2',
  pause: '3.10.1',
} as const;

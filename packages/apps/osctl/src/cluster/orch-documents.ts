import type { ClusterPlan, OrchSettings, PlannedNode } from '@nodecore/clusters';

import { document } from './document.ts';
import { addressPlan, orchImage } from '../gen/orch-defaults.ts';

/** The programs that the control plane has beside those of every node, by the kinds of their documents. */
const programs = {
  OrchAPIServerConfig: 'kube-apiserver',
  OrchControllerManagerConfig: 'kube-controller-manager',
  OrchSchedulerConfig: 'kube-scheduler',
  OrchProxyConfig: 'kube-proxy',
} as const;

/** What a node is told of the orchestrator: what flags say, and nothing else of it. */
export function orchDocuments(
  { nodes: [first] }: ClusterPlan,
  { type }: PlannedNode,
  { version, dnsDomain, balancerPort, networkUrl: url }: OrchSettings,
): readonly string[] {
  const isControlPlane = type === 'controlplane';
  return [
    ...(version === undefined
      ? []
      : [document('OrchKubeletConfig', { image: orchImage('kubelet', version) })]),
    ...(version !== undefined && isControlPlane
      ? Object.entries(programs).map(([kind, name]) => document(kind, { image: orchImage(name, version) }))
      : []),
    ...(dnsDomain === undefined
      ? []
      : [document('OrchNetworkConfig', { dnsDomain, ...addressPlan({ host: first?.address ?? '' }) })]),
    ...(balancerPort === undefined ? [] : [document('OrchBalancerConfig', { port: balancerPort })]),
    ...(url === undefined || !isControlPlane
      ? []
      : [document('OrchExternalManifestConfig', { name: 'network', url })]),
  ];
}

import { one } from './document.ts';
import type { ConfigInput, MachineKind, Part } from './input.ts';
import { addressPlan, auditPolicy, authentication, encryption, orchImage, podSecurity } from './orch-defaults.ts';

/** The documents of the orchestrator on a machine. */
export function orchDocuments(kind: MachineKind, input: ConfigInput): readonly Part[] {
  const { secrets, orchVersion } = input;
  const isControlPlane = kind === 'controlplane';
  const ca = pem(secrets.certs.orch.crt);
  return [
    one('OrchClusterConfig', { clusterName: input.name, endpoint: input.endpoint }),
    one('OrchNodeConfig', isControlPlane ? controlPlaneNode(input) : {}),
    one('OrchKubeletConfig', {
      image: orchImage('kubelet', orchVersion),
      defaultRuntimeSeccompProfileEnabled: true,
    }),
    one('OrchNetworkConfig', { dnsDomain: input.dnsDomain, ...addressPlan(input) }),
    one('OrchAPIServerCAConfig', isControlPlane ? { issuingCA: pair(secrets.certs.orch) } : { acceptedCAs: [ca] }),
    one('OrchBalancerConfig', { port: 7445 }),
    ...(isControlPlane ? controlPlane(input) : []),
  ];
}

function controlPlaneNode({ allowScheduling }: ConfigInput): Part {
  const role = 'node-role.kubernetes.io/control-plane';
  return {
    labels: { [role]: '', 'node.kubernetes.io/exclude-from-external-load-balancers': '' },
    ...(allowScheduling ? {} : { taints: { [role]: 'NoSchedule' } }),
  };
}

function controlPlane(input: ConfigInput): readonly Part[] {
  const { secrets, endpoint, orchVersion, additionalSans } = input;
  const program = (kind: string, name: string, more: Part = {}): Part =>
    one(kind, { image: orchImage(name, orchVersion), ...more });
  return [
    one('OrchAggregatorCAConfig', { issuingCA: pair(secrets.certs.orchaggregator) }),
    one('OrchAdmissionControlConfig', { name: 'PodSecurity', configuration: podSecurity }),
    one('OrchAuditPolicyConfig', { configuration: auditPolicy }),
    one('OrchAuthenticationConfig', { configuration: authentication }),
    one('OrchAuthorizerConfig', { name: 'node', type: 'Node' }),
    one('OrchAuthorizerConfig', { name: 'rbac', type: 'RBAC' }),
    one('OrchKvstoreEncryptionConfig', { config: encryption(input) }),
    one('OrchServiceAccountConfig', {
      issuer: { privateKey: pem(secrets.certs.orchserviceaccount.key), issuerURL: endpoint },
    }),
    program('OrchAPIServerConfig', 'kube-apiserver', additionalSans.length === 0 ? {} : { certExtraSANs: additionalSans }),
    program('OrchControllerManagerConfig', 'kube-controller-manager'),
    program('OrchSchedulerConfig', 'kube-scheduler'),
    program('OrchProxyConfig', 'kube-proxy', { mode: 'nftables' }),
    one('OrchFlannelCNIConfig', { backendType: 'vxlan', backendPort: 4789 }),
    one('OrchCoreDNSConfig', { enabled: true }),
  ];
}

function pair({ crt, key }: { readonly crt: string; readonly key: string }): Part {
  return { cert: pem(crt), key: pem(key) };
}

function pem(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}

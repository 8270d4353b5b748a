import { has } from './contract.ts';
import type { ConfigInput, MachineKind, Part } from './input.ts';
import { addressPlan, orchImage, podSecurity, auditPolicy } from './orch-defaults.ts';

/** The root document: what has no document of its own in this version. */
export function rootDocument(kind: MachineKind, input: ConfigInput): Part {
  const { secrets, additionalSans, contract, withoutOrch = false } = input;
  const isControlPlane = kind === 'controlplane';
  const hasDocuments = has(contract, 'documents');
  return {
    version: 'v1alpha1',
    machine: {
      type: input.isInit === true ? 'init' : kind,
      token: secrets.trustdinfo.token,
      ca: isControlPlane ? secrets.certs.os : { crt: secrets.certs.os.crt }, // control planes sign for workers
      ...(additionalSans.length === 0 ? {} : { certSANs: additionalSans }),
      ...(hasDocuments ? {} : legacyMachine(kind, input)),
    },
    cluster: {
      ...(hasDocuments ? {} : secrets.cluster),
      ...(withoutOrch ? {} : { token: secrets.secrets.bootstraptoken }),
      ...(isControlPlane && !withoutOrch ? { kvstore: { ca: secrets.certs.kvstore } } : {}),
      ...(hasDocuments ? {} : legacyCluster(kind, input)),
    },
  };
}

function legacyMachine(kind: MachineKind, { contract, ...input }: ConfigInput): Part {
  const isOf = (first: Parameters<typeof has>[1], last?: Parameters<typeof has>[1]): boolean =>
    has(contract, first) && (last === undefined || !has(contract, last));
  const features = {
    ...(has(contract, 'networkDocuments') ? {} : { rbac: true }),
    ...(isOf('stableHostname', 'networkDocuments') ? { stableHostname: true } : {}),
    ...(isOf('extendedKeyCheck', 'networkDocuments') ? { apidCheckExtKeyUsage: true } : {}),
    ...(has(contract, 'diskQuota') ? { diskQuotaSupport: true } : {}),
    ...(has(contract, 'balancer') ? { orchBalancer: { enabled: true, port: 7445 } } : {}),
    ...(has(contract, 'hostDns')
      ? { hostDNS: { enabled: true, ...(has(contract, 'forwardedDns') ? { forwardKubeDNSToHost: true } : {}) } }
      : {}),
  };
  return {
    kubelet: { image: orchImage('kubelet', input.orchVersion) },
    features,
    ...(input.installDisk === undefined
      ? {}
      : { install: { disk: input.installDisk, ...(input.installImage === undefined ? {} : { image: input.installImage }) } }),
    ...(input.registryMirrors.length === 0 || has(contract, 'networkDocuments')
      ? {}
      : { registries: { mirrors: Object.fromEntries(input.registryMirrors.map(([host, url]) => [host, { endpoints: [url] }])) } }),
    ...(input.withMesh && !has(contract, 'meshDocument') ? { network: { mesh: { enabled: true } } } : {}),
    ...(kind === 'controlplane' && has(contract, 'loadBalancerLabel')
      ? { nodeLabels: { 'node.kubernetes.io/exclude-from-external-load-balancers': '' } }
      : {}),
  };
}

function legacyCluster(kind: MachineKind, input: ConfigInput): Part {
  const { contract, secrets, orchVersion } = input;
  const isControlPlane = kind === 'controlplane';
  const { podSubnets, serviceSubnets } = addressPlan(input);
  const { secretboxencryptionsecret, aescbcencryptionsecret } = secrets.secrets;
  const sans = [...(has(contract, 'networkDocuments') ? [] : [input.host]), ...input.additionalSans];
  const { orch, orchaggregator, orchserviceaccount } = secrets.certs;
  return {
    ...(isControlPlane || has(contract, 'workerClusterName') ? { clusterName: input.name } : {}),
    controlPlane: { endpoint: input.endpoint },
    network: { dnsDomain: input.dnsDomain, podSubnets, serviceSubnets },
    ca: isControlPlane ? orch : { crt: orch.crt, key: '' },
    discovery: {
      enabled: input.discoveryEndpoint !== undefined,
      ...(input.discoveryEndpoint === undefined ? {} : { registries: { service: { endpoint: input.discoveryEndpoint } } }),
    },
    ...(isControlPlane
      ? {
          ...(secretboxencryptionsecret === undefined ? {} : { secretboxEncryptionSecret: secretboxencryptionsecret }),
          ...(aescbcencryptionsecret === undefined ? {} : { aescbcEncryptionSecret: aescbcencryptionsecret }),
          aggregatorCA: orchaggregator,
          serviceAccount: orchserviceaccount,
          apiServer: {
            image: orchImage('kube-apiserver', orchVersion),
            ...(sans.length === 0 ? {} : { certSANs: sans }),
            ...(has(contract, 'podSecurity')
              ? { admissionControl: [{ name: 'PodSecurity', configuration: podSecurity }] }
              : {}),
            ...(has(contract, 'auditPolicy') ? { auditPolicy } : {}),
          },
          controllerManager: { image: orchImage('kube-controller-manager', orchVersion) },
          proxy: { image: orchImage('kube-proxy', orchVersion) },
          scheduler: { image: orchImage('kube-scheduler', orchVersion) },
          ...(input.allowScheduling
            ? { [has(contract, 'schedulingFlag') ? 'allowSchedulingOnControlPlanes' : 'allowSchedulingOnMasters']: true }
            : {}),
        }
      : {}),
  };
}

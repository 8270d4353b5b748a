import { isIPv6 } from 'node:net';

import type { ConfigInput, Part } from './input.ts';

/** Where programs of the orchestrator come from. */
const registry = 'registry.k8s.io';

/** Programs of the orchestrator that are generated for unless a version is given. */
export const defaultOrchVersion = 'v1.35.0';

/** The image of a program of the orchestrator. */
export function orchImage(program: string, version: string): string {
  return `${registry}/${program}:${version}`;
}

/** Networks of pods and services, of the family of the cluster's endpoint. */
export function addressPlan({ host }: Pick<ConfigInput, 'host'>): {
  readonly podSubnets: readonly string[];
  readonly serviceSubnets: readonly string[];
} {
  return isIPv6(host)
    ? { podSubnets: ['fc00:db8:10::/56'], serviceSubnets: ['fc00:db8:20::/112'] }
    : { podSubnets: ['10.244.0.0/16'], serviceSubnets: ['10.96.0.0/12'] };
}

/** Pods may do what the baseline allows; the system's own namespace is left alone. */
export const podSecurity: Part = {
  apiVersion: 'pod-security.admission.config.k8s.io/v1',
  kind: 'PodSecurityConfiguration',
  defaults: {
    enforce: 'baseline',
    'enforce-version': 'latest',
    audit: 'restricted',
    'audit-version': 'latest',
    warn: 'restricted',
    'warn-version': 'latest',
  },
  exemptions: { usernames: [], runtimeClasses: [], namespaces: ['kube-system'] },
};

/** Who did what and when, and not what was sent. */
export const auditPolicy: Part = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] };

/** Nobody is anonymous but those who ask whether the API is there. */
export const authentication: Part = {
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AuthenticationConfiguration',
  anonymous: { enabled: true, conditions: ['/livez', '/readyz', '/healthz'].map((path) => ({ path })) },
};

/** The first provider writes, all of them read: one who changes from one to the other loses nothing. */
export function encryption({ secrets: { secrets } }: Pick<ConfigInput, 'secrets'>): Part {
  const { secretboxencryptionsecret: secretbox, aescbcencryptionsecret: aescbc } = secrets;
  // The names are part of what is stored.
  const provider = (kind: string, name: string, secret: string | undefined): readonly Part[] =>
    secret === undefined ? [] : [{ [kind]: { keys: [{ name, secret }] } }];
  return {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [
      {
        resources: ['secrets'],
        providers: [...provider('secretbox', 'key2', secretbox), ...provider('aescbc', 'key1', aescbc), { identity: {} }],
      },
    ],
  };
}

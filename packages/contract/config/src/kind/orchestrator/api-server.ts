import { document } from '../../document.ts';
import { anything } from '../../field/anything.ts';
import { list } from '../../field/list.ts';
import { atLeastOne } from '../../field/rule.ts';
import { boolean, choice, integer } from '../../field/scalars.ts';
import { fallback, optional, required } from '../../field/type.ts';
import { documentName } from '../../type/document-name.ts';
import { host } from '../../type/endpoint.ts';
import { authority, certificates } from '../../type/pem.ts';
import { exampleCertificate, exampleKey } from './example-keys.ts';
import { checkPod, podFields } from './pod-block.ts';

/** Flags that have a document of their own. */
const elsewhere = [
  { flag: /^(?:anonymous-auth$|oidc-|authentication-config$)/u, kind: 'OrchAuthenticationConfig' },
  { flag: /^authorization-(?:config$|mode$|webhook-)/u, kind: 'OrchAuthorizerConfig' },
] as const;

const common = { takesEffect: 'live', awaits: 'orchestrator', only: 'controlplane' } as const;

/** `OrchAPIServerConfig`: the API of the orchestrator. */
export const orchApiServer = document('OrchAPIServerConfig', 'the API of the orchestrator', () => ({
  ...common,
  replaces: ['cluster.apiServer', 'cluster.controlPlane.localAPIServerPort'],
  fields: {
    ...podFields,
    apiPort: fallback('where it listens', integer(1, 65_535), 6443),
    certExtraSANs: optional('further names in its certificate', list(host)),
    startupProbes: fallback('whether it is asked while it starts', boolean, true),
  },
  check: (value, at) => {
    checkPod(value, at);
    for (const name of value.extraArgs?.keys() ?? []) {
      const found = elsewhere.find(({ flag }) => flag.test(name));
      if (found !== undefined)
        at.at('extraArgs', name).problem('api_server.argument', `has a document of its own: ${found.kind}`);
    }
  },
  example: 'image: registry.example/kube-apiserver:v1.35.0\ncertExtraSANs: [api.example]\n',
}));

/** `OrchAPIServerCAConfig`: who issues certificates of the orchestrator's API. */
export const orchApiServerCa = document(
  'OrchAPIServerCAConfig',
  "who issues certificates of the orchestrator's API",
  () => ({
    takesEffect: 'live',
    awaits: 'orchestrator',
    replaces: ['cluster.ca', 'cluster.acceptedCAs'],
    fields: {
      issuingCA: optional('the authority, with its key; control planes have it', authority),
      acceptedCAs: optional('further authorities that are taken', list(certificates)),
    },
    rules: [atLeastOne('issuingCA', 'acceptedCAs')],
    example: `acceptedCAs:\n  - |\n${exampleCertificate(4)}`,
  }),
);

/** `OrchAggregatorCAConfig`: who issues certificates of extensions of the API. */
export const orchAggregatorCa = document(
  'OrchAggregatorCAConfig',
  'who issues certificates of extensions of the API',
  () => ({
    ...common,
    replaces: ['cluster.aggregatorCA'],
    fields: {
      issuingCA: required('the authority, with its key', authority),
      acceptedCAs: optional('further authorities that are taken', list(certificates)),
    },
    example: `issuingCA:\n  cert: |\n${exampleCertificate(4)}  key: |\n${exampleKey(4)}`,
  }),
);

/** `OrchAdmissionControlConfig`: a plugin that looks at what is created. */
export const orchAdmissionControl = document(
  'OrchAdmissionControlConfig',
  'a plugin that looks at what is created',
  () => ({
    ...common,
    replaces: ['cluster.apiServer.admissionControl'],
    fields: {
      name: required('the plugin', documentName),
      configuration: optional('its configuration', anything),
    },
    example:
      'name: PodSecurity\nconfiguration: {apiVersion: pod-security.admission.config.k8s.io/v1, kind: PodSecurityConfiguration}\n',
  }),
);

/** `OrchAuditPolicyConfig`: what the API writes into its audit log. */
export const orchAuditPolicy = document(
  'OrchAuditPolicyConfig',
  'what the API writes into its audit log',
  () => ({
    ...common,
    replaces: ['cluster.apiServer.auditPolicy'],
    fields: { configuration: required('an audit policy', anything) },
    example: 'configuration: {apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: Metadata}]}\n',
  }),
);

/** `OrchAuthenticationConfig`: whom the API believes. */
export const orchAuthentication = document('OrchAuthenticationConfig', 'whom the API believes', () => ({
  ...common,
  fields: { configuration: required('an authentication configuration', anything) },
  example:
    'configuration: {apiVersion: apiserver.config.k8s.io/v1, kind: AuthenticationConfiguration, anonymous: {enabled: false}}\n',
}));

/** `OrchAuthorizerConfig`: who decides; asked in the order of the documents. */
export const orchAuthorizer = document(
  'OrchAuthorizerConfig',
  'who decides what is allowed, in the order of the documents',
  () => ({
    ...common,
    replaces: ['cluster.apiServer.authorizationConfig'],
    fields: {
      name: required('a name for it', documentName),
      type: required('how it decides', choice('Node', 'RBAC', 'Webhook')),
      webhook: optional('who is asked', anything),
    },
    check: ({ type, webhook }, at) => {
      if (type === 'Webhook' && webhook === undefined)
        at.problemAt('webhook', 'required', 'webhook is required with type: Webhook');
      if (type !== 'Webhook' && webhook !== undefined)
        at.at('webhook').warning('authorizer.unused', 'has no effect without type: Webhook');
    },
    example: 'name: rbac\ntype: RBAC\n',
  }),
);

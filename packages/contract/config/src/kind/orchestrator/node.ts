import { isNetwork, parseAddress, parsePrefix } from '@nodecore/sys/pure';

import { document } from '../../document.ts';
import { anything } from '../../field/anything.ts';
import { list, map } from '../../field/list.ts';
import { Mistake } from '../../field/mistake.ts';
import { object } from '../../field/object.ts';
import { parsed } from '../../field/parsed.ts';
import { boolean, integer } from '../../field/scalars.ts';
import { text } from '../../field/text.ts';
import { fallback, optional, required, type Type } from '../../field/type.ts';
import { address } from '../../type/address.ts';
import { programArguments } from '../../type/argument.ts';
import { host } from '../../type/endpoint.ts';
import { imageReference } from '../../type/image.ts';

/** `example.com/name` or `name`: what labels, annotations and taints are called by. */
const labelName: Type<string> = parsed('the name of a label', {
  json: { minLength: 1, maxLength: 317 },
  parse: (written) => {
    const [name = '', prefix, more] = written.split('/').toReversed();
    const isName = /^[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?$/u.test(name);
    const isPrefix =
      prefix === undefined || (prefix.length <= 253 && /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/u.test(prefix));
    return isName && isPrefix && more === undefined
      ? written
      : new Mistake('label.name', 'must be a name of at most 63 characters, behind a domain and / or alone');
  },
});

const labelValue = text({
  empty: true,
  longest: 63,
  pattern: {
    regex: /^(?:[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)?$/u,
    code: 'label.value',
    message: 'must be letters, digits, dots, hyphens and underscores, a letter or digit at both ends',
  },
});

const taint: Type<string> = parsed('a taint', {
  json: { pattern: '^([^:]*:)?(NoSchedule|PreferNoSchedule|NoExecute)$' },
  parse: (written) => {
    const [, value = '', effect] = /^(?:([^:]*):)?([A-Za-z]+)$/u.exec(written) ?? [];
    if (!['NoSchedule', 'PreferNoSchedule', 'NoExecute'].includes(effect ?? ''))
      return new Mistake('taint.effect', 'must end with NoSchedule, PreferNoSchedule or NoExecute');
    return value.length <= 63 && /^(?:[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)?$/u.test(value)
      ? written
      : new Mistake('label.value', 'must be value:Effect, the value as that of a label');
  },
});

const subnetFilter: Type<string> = parsed('a network', {
  json: { pattern: '^!?[0-9A-Fa-f:.]+(/[0-9]{1,3})?$' },
  parse: (written) => {
    const plain = written.replace(/^!/u, '');
    const prefix = parsePrefix(plain);
    return parseAddress(plain) !== undefined || (prefix !== undefined && isNetwork(prefix))
      ? written
      : new Mistake('node_ip.subnet', 'must be a network or an address, after an ! to leave it out');
  },
});

const maxAnnotationBytes = 256 << 10;

/** `OrchNodeConfig`: how the node shows itself to the orchestrator. */
export const orchNode = document('OrchNodeConfig', 'how the node shows itself to the orchestrator', () => ({
  takesEffect: 'live',
  awaits: 'orchestrator',
  replaces: [
    'machine.nodeLabels',
    'machine.nodeAnnotations',
    'machine.nodeTaints',
    'machine.kubelet.nodeIP',
    'machine.kubelet.registerWithFQDN',
    'machine.kubelet.skipNodeRegistration',
    'cluster.allowSchedulingOnControlPlanes',
    'cluster.allowSchedulingOnMasters',
  ],
  fields: {
    skipNodeRegistration: optional('whether it does not show itself at all', boolean),
    registerWithFQDN: optional('whether its name has the domain', boolean),
    nodeIP: optional(
      'which of its addresses it shows',
      object({ validSubnets: optional('networks that it is in, or with ! is not in', list(subnetFilter)) }),
    ),
    labels: optional('labels', map(labelValue, { names: labelName })),
    annotations: optional(
      'annotations, 256 KiB in all',
      map(text({ empty: true, lines: true, longest: maxAnnotationBytes }), { names: labelName }),
    ),
    taints: optional('taints: value:Effect or Effect', map(taint, { names: labelName })),
  },
  check: ({ annotations = new Map() }, at) => {
    const bytes = [...annotations].reduce(
      (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
      0,
    );
    if (bytes > maxAnnotationBytes)
      at.at('annotations').problem('annotations.total', 'has more than 256 KiB');
  },
  example: 'labels: {rack: a1}\ntaints: {dedicated: "db:NoSchedule"}\nnodeIP: {validSubnets: [10.0.0.0/8]}\n',
}));

/** Fields of the kubelet's configuration that the node writes. */
const ownedSettings = [
  'apiVersion kind authentication authorization cgroupRoot kubeletCgroups',
  'systemCgroups port protectKernelDefaults resolvConf rotateCertificates staticPodPath seccompDefault',
].flatMap((line) => line.split(' '));

/** `OrchKubeletConfig`: the orchestrator's program on the node. */
export const orchKubelet = document('OrchKubeletConfig', "the orchestrator's program on the node", () => ({
  takesEffect: 'service',
  awaits: 'orchestrator',
  replaces: ['machine.kubelet'],
  fields: {
    image: required('its image', imageReference),
    config: optional('parts of its configuration', anything),
    extraArgs: optional('flags', programArguments),
    clusterDNS: optional('name servers of pods', list(address)),
    defaultRuntimeSeccompProfileEnabled: optional(
      'whether pods may make the usual system calls only',
      boolean,
    ),
  },
  check: ({ config = {} }, at) => {
    for (const name of Object.keys(config))
      if (ownedSettings.includes(name))
        at.at('config', name).problem('kubelet.owned', 'is what the node decides');
  },
  example: 'image: registry.example/kubelet:v1.35.0\nconfig: {maxPods: 110}\n',
}));

/** `OrchCredentialProviderConfig`: programs that hand out credentials for registries. */
export const orchCredentialProvider = document(
  'OrchCredentialProviderConfig',
  'programs that hand out credentials for registries',
  () => ({
    takesEffect: 'service',
    awaits: 'orchestrator',
    replaces: ['machine.kubelet'],
    fields: { configuration: required('a CredentialProviderConfig', anything) },
    example:
      'configuration: {apiVersion: kubelet.config.k8s.io/v1, kind: CredentialProviderConfig, providers: []}\n',
  }),
);

/** `OrchBalancerConfig`: the API of the cluster on a port of each node. */
export const orchBalancer = document(
  'OrchBalancerConfig',
  'the API of the cluster on a port of each node',
  () => ({
    takesEffect: 'live',
    awaits: 'orchestrator',
    replaces: ['machine.features.orchBalancer'],
    fields: {
      port: fallback('on 127.0.0.1', integer(1, 65_535), 7445),
      tlsServerName: optional('the name that the API shows', host),
    },
    example: 'port: 7445\n',
  }),
);

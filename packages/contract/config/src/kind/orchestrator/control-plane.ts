import { document } from '../../document.ts';
import { anything } from '../../field/anything.ts';
import { list } from '../../field/list.ts';
import { boolean, choice } from '../../field/scalars.ts';
import { text } from '../../field/text.ts';
import { fallback, optional } from '../../field/type.ts';
import { imageReference } from '../../type/image.ts';
import { u16, u32 } from '../../type/number.ts';
import { checkPod, optionalPodFields, resources } from './pod-block.ts';

const common = { takesEffect: 'live', awaits: 'orchestrator', only: 'controlplane' } as const;

/** `OrchControllerManagerConfig`: the orchestrator's controllers. */
export const orchControllerManager = document(
  'OrchControllerManagerConfig',
  "the orchestrator's controllers",
  () => ({
    ...common,
    replaces: ['cluster.controllerManager', 'machine.controlPlane.controllerManager'],
    fields: optionalPodFields,
    check: checkPod,
    example: 'image: registry.example/kube-controller-manager:v1.35.0\n',
  }),
);

/** `OrchSchedulerConfig`: what chooses nodes for pods. */
export const orchScheduler = document('OrchSchedulerConfig', 'what chooses nodes for pods', () => ({
  ...common,
  replaces: ['cluster.scheduler', 'machine.controlPlane.scheduler'],
  fields: { ...optionalPodFields, config: optional('parts of its configuration', anything) },
  check: checkPod,
  example: 'image: registry.example/kube-scheduler:v1.35.0\n',
}));

/** `OrchProxyConfig`: what leads services to pods. */
export const orchProxy = document('OrchProxyConfig', 'what leads services to pods', () => ({
  ...common,
  replaces: ['cluster.proxy'],
  fields: {
    ...optionalPodFields,
    mode: fallback('by which part of the kernel', choice('nftables', 'iptables', 'ipvs'), 'nftables'),
    config: optional('parts of its configuration', anything),
  },
  check: (value, at) => {
    checkPod(value, at);
    if (value.mode !== 'nftables')
      at.at('mode').warning('proxy.mode', 'is an older way: nftables takes its place');
    if ((value.extraArgs?.size ?? 0) > 0)
      at.at('extraArgs').warning('proxy.arguments', 'give way to config, which the program reads first');
  },
  example: 'image: registry.example/kube-proxy:v1.35.0\n',
}));

/** `OrchCoreDNSConfig`: names of services. */
export const orchCoreDns = document('OrchCoreDNSConfig', 'names of services', () => ({
  ...common,
  replaces: ['cluster.coreDNS'],
  fields: {
    enabled: fallback('whether the node brings it', boolean, true),
    image: optional('its image', imageReference),
  },
  example: 'enabled: false\n',
}));

/** `OrchFlannelCNIConfig`: the network of pods. */
export const orchFlannelCni = document(
  'OrchFlannelCNIConfig',
  'the network of pods; without it none is built in',
  () => ({
    ...common,
    replaces: ['cluster.network'],
    fields: {
      backendType: fallback('how packets go from node to node', text({ longest: 63 }), 'vxlan'),
      backendPort: fallback('UDP port of it', u16, 4789),
      backendMTU: optional('largest packet', u32),
      backendExtraConfig: optional('further settings of it', anything),
      resources: optional('what it gets', resources),
      extraArgs: optional('flags', list(text())),
      networkPoliciesEnabled: optional('whether rules between pods count', boolean),
    },
    example: 'backendType: vxlan\n',
  }),
);

import { isNetwork, overlaps, type Prefix } from '@nodecore/sys/pure';

import { document } from '../../document.ts';
import { list } from '../../field/list.ts';
import { integer } from '../../field/scalars.ts';
import { text } from '../../field/text.ts';
import { fallback, required, type Of } from '../../field/type.ts';
import { type Place } from '../../place.ts';
import { dnsDomain } from '../../type/dns-name.ts';
import { network } from '../../type/network-prefix.ts';
import { url } from '../../type/url.ts';

/** `OrchClusterConfig`: which cluster of the orchestrator the node is of. */
export const orchCluster = document(
  'OrchClusterConfig',
  'which cluster of the orchestrator the node is of',
  () => ({
    takesEffect: 'live',
    awaits: 'orchestrator',
    replaces: ['cluster.clusterName', 'cluster.controlPlane.endpoint'],
    fields: {
      clusterName: required('its name', text({ longest: 253 })),
      endpoint: required('where its API is', url(['https'], { bare: true })),
    },
    example: 'clusterName: home\nendpoint: https://10.0.0.100:6443\n',
  }),
);

const networkFields = {
  dnsDomain: fallback('domain of its services', dnsDomain, 'cluster.local'),
  podSubnets: required('networks of its pods', list(network, { least: 1, most: 2, merge: 'replace' })),
  serviceSubnets: required(
    'networks of its services',
    list(network, { least: 1, most: 2, merge: 'replace' }),
  ),
  nodeCIDRMaskSizeIPv4: fallback('size of the IPv4 network that a node gets', integer(1, 32), 24),
  nodeCIDRMaskSizeIPv6: fallback('size of the IPv6 network that a node gets', integer(1, 128), 64),
};

/** `OrchNetworkConfig`: addresses of pods and services. */
export const orchNetwork = document('OrchNetworkConfig', 'addresses of pods and services', () => ({
  takesEffect: 'live',
  awaits: 'orchestrator',
  replaces: ['cluster.network'],
  fields: networkFields,
  check: checkNetwork,
  example: 'podSubnets: [10.244.0.0/16]\nserviceSubnets: [10.96.0.0/12]\n',
}));

const width = { ipv4: 32, ipv6: 128 } as const;

function checkNetwork(value: Of<typeof networkFields>, at: Place): void {
  const { podSubnets: pods, serviceSubnets: services } = value;
  for (const [field, subnets] of [
    ['podSubnets', pods],
    ['serviceSubnets', services],
  ] as const)
    checkFamilies(subnets, at.at(field));
  if (
    pods.length !== services.length ||
    pods.some((pod, index) => familyOf(pod) !== familyOf(services[index]))
  )
    at.at('serviceSubnets').problem(
      'orch_network.families',
      'must have the families of podSubnets in the same order',
    );
  for (const [index, pod] of pods.entries()) {
    const mask = pod.address.family === 'ipv4' ? value.nodeCIDRMaskSizeIPv4 : value.nodeCIDRMaskSizeIPv6;
    const place = at.at('podSubnets', index);
    if (mask < pod.bits)
      place.problem('orch_network.pods', `is smaller than the /${mask} that each node gets`);
    else if (mask - pod.bits > 16)
      place.problem('orch_network.pods', `is more than 16 bits larger than a node's /${mask}`);
    const other = services.findIndex((service) => overlaps(service, pod));
    if (other >= 0)
      at.at('serviceSubnets', other).problem('orch_network.overlap', 'overlaps a network of pods');
  }
  for (const [index, service] of services.entries())
    if (width[service.address.family] - service.bits > 20)
      at.at('serviceSubnets', index).problem('orch_network.services', 'has more than 20 bits for hosts');
}

function familyOf(prefix: Prefix | undefined): string | undefined {
  return prefix?.address.family;
}

function checkFamilies(subnets: readonly Prefix[], at: Place): void {
  for (const [index, subnet] of subnets.entries()) {
    if (!isNetwork(subnet)) continue;
    if (width[subnet.address.family] - subnet.bits < 4)
      at.at(index).problem('orch_network.small', 'has fewer than 4 bits for hosts');
    if (subnets.slice(0, index).some((one) => familyOf(one) === familyOf(subnet)))
      at.at(index).problem('orch_network.families', 'is a second network of the same family');
  }
}

import { type Node } from 'yaml';

import { type Move } from '../move.ts';
import { fieldsOfNode, isTrue, itemsOf, mapping, part, picked, word } from '../nodes.ts';
import { defaultImage } from './default-image.ts';

const admission: Move = {
  from: ['cluster.apiServer.admissionControl'],
  into: ['OrchAdmissionControlConfig'],
  only: 'controlplane',
  parts: ({ at }) =>
    itemsOf(at('cluster.apiServer.admissionControl')).map((one) =>
      part('OrchAdmissionControlConfig', picked(one, { name: 'name', configuration: 'configuration' })),
    ),
};

const audit: Move = {
  from: ['cluster.apiServer.auditPolicy'],
  into: ['OrchAuditPolicyConfig'],
  places: { 'cluster.apiServer.auditPolicy': 'configuration' },
  only: 'controlplane',
  parts: ({ at }) => {
    const configuration = at('cluster.apiServer.auditPolicy');
    return [part('OrchAuditPolicyConfig', mapping(configuration, { configuration }))];
  },
};

const authorizers: Move = {
  from: ['cluster.apiServer.authorizationConfig'],
  into: ['OrchAuthorizerConfig'],
  only: 'controlplane',
  parts: ({ at }) =>
    itemsOf(at('cluster.apiServer.authorizationConfig')).map((one) =>
      part('OrchAuthorizerConfig', picked(one, { name: 'name', type: 'type', webhook: 'webhook' })),
    ),
};

/** Fields of the API that have been moved by themselves. */
const ofOthers = ['admissionControl', 'auditPolicy', 'authorizationConfig'];

const apiServer: Move = {
  from: ['cluster.apiServer', 'cluster.controlPlane.localAPIServerPort'],
  into: ['OrchAPIServerConfig'],
  places: { 'cluster.controlPlane.localAPIServerPort': 'apiPort' },
  only: 'controlplane',
  parts: ({ at }) => {
    const [value, apiPort] = [at('cluster.apiServer'), at('cluster.controlPlane.localAPIServerPort')];
    const own = Object.fromEntries(
      Object.entries(fieldsOfNode(value)).filter(([name]) => !ofOthers.includes(name)),
    );
    const { image, certSANs: certExtraSANs, ...same } = own;
    const left = ['extraVolumes', 'disablePodSecurityPolicy'].find((name) => own[name] !== undefined);
    if (left !== undefined) return { why: `${left} has no place in a document` };
    if (Object.keys(own).length === 0 && apiPort === undefined) return [];
    const from = value ?? apiPort;
    return [
      part(
        'OrchAPIServerConfig',
        mapping(from, {
          image: image ?? defaultImage('kube-apiserver', from),
          ...same,
          certExtraSANs,
          apiPort,
        }),
      ),
    ];
  },
};

/** A program that may be left out on this machine alone. */
function program(name: string, kind: string, image: string): Move {
  const [settings, local] = [`cluster.${name}`, `machine.controlPlane.${name}`];
  return {
    from: [settings, local],
    into: [kind],
    only: 'controlplane',
    parts: ({ at }) => {
      const [value, here] = [at(settings), at(local)];
      return programPart({
        kind,
        image,
        value: value ?? here,
        own: fieldsOfNode(value),
        disabled: fieldsOfNode(here)['disabled'],
      });
    },
  };
}

type Program = {
  readonly kind: string;
  readonly image: string;
  readonly value: Node | undefined;
  readonly own: Readonly<Record<string, Node | undefined>>;
  readonly disabled: Node | undefined;
};

function programPart({ kind, image: name, value, own, disabled }: Program): ReturnType<Move['parts']> {
  if (own['extraVolumes'] !== undefined) return { why: 'extraVolumes has no place in a document' };
  const { image, disabled: _said, ...same } = own;
  return [
    part(
      kind,
      mapping(value, {
        enabled: disabled && word(!isTrue(disabled), disabled),
        image: image ?? defaultImage(name, value),
        ...same,
      }),
    ),
  ];
}

const proxy: Move = {
  from: ['cluster.proxy'],
  into: ['OrchProxyConfig'],
  only: 'controlplane',
  parts: ({ at }) => {
    const value = at('cluster.proxy');
    const own = fieldsOfNode(value);
    return programPart({
      kind: 'OrchProxyConfig',
      image: 'kube-proxy',
      value,
      own,
      disabled: own['disabled'],
    });
  },
};

/** Where programs of the control plane go. */
export const controlPlaneMoves: readonly Move[] = [
  admission,
  audit,
  authorizers,
  apiServer,
  program('controllerManager', 'OrchControllerManagerConfig', 'kube-controller-manager'),
  program('scheduler', 'OrchSchedulerConfig', 'kube-scheduler'),
  proxy,
];

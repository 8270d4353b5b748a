import { anything } from '../field/anything.ts';
import { list } from '../field/list.ts';
import { object } from '../field/object.ts';
import { boolean } from '../field/scalars.ts';
import { text } from '../field/text.ts';
import { optional, required, type Field, type Fields, type Type } from '../field/type.ts';
import { criBaseRuntimeSpec } from '../kind/images/cri.ts';
import { orchNode } from '../kind/orchestrator/node.ts';
import { clusterParts } from './cluster-parts.ts';
import { fieldOf } from './field-of.ts';
import { machineParts } from './machine-parts.ts';
import { networkBlock } from './network.ts';

type Optional = Field<unknown> & { readonly need: 'optional' };

const part = (about: string, type: Type<unknown>): Optional => optional(about, type);

/** Fields of `machine` beyond those that make it a member of a cluster. Most have a document of their own. */
export function legacyMachineFields(): Fields {
  const { kubeletFields, disks, install, files, smallMachineFields, ...parts } = machineParts();
  const program = object({ disabled: optional('whether the node does not run it', boolean) });
  return {
    controlPlane: part(
      'programs of the control plane on this machine',
      object({
        controllerManager: optional("the orchestrator's controllers", program),
        scheduler: optional('what chooses nodes for pods', program),
      }),
    ),
    kubelet: part("the orchestrator's program on the node", object(kubeletFields)),
    pods: part('pods that run whatever the orchestrator says', list(anything)),
    network: part('interfaces and names', networkBlock()),
    disks: part('disks that are partitioned and mounted', disks),
    install: part('onto which disk the node installs itself', install),
    files: part('files that are written', files),
    ...smallMachineFields,
    registries: part('registries of images', parts.registries),
    systemDiskEncryption: part('how volumes of the node are encrypted', parts.systemDiskEncryption),
    features: part('what is switched on', parts.features),
    seccompProfiles: part(
      'which system calls containers may make',
      list(
        object({
          name: required('of its file', text({ longest: 253 })),
          value: required('the profile', anything),
        }),
        {
          merge: { by: 'name' },
        },
      ),
    ),
    baseRuntimeSpecOverrides: fieldOf(criBaseRuntimeSpec, 'overrides'),
    nodeLabels: fieldOf(orchNode, 'labels'),
    nodeAnnotations: fieldOf(orchNode, 'annotations'),
    nodeTaints: fieldOf(orchNode, 'taints'),
  };
}

/** Fields of `cluster` beyond those that make a machine a member of it. */
export function legacyClusterFields(): Fields {
  const { smallClusterFields, clusterNetwork, apiServer, controllerManager, proxy, scheduler } =
    clusterParts();
  return {
    network: part('addresses of pods and services', clusterNetwork),
    ...smallClusterFields,
    apiServer: part('the API of the orchestrator', apiServer),
    controllerManager: part("the orchestrator's controllers", controllerManager),
    proxy: part('what leads services to pods', proxy),
    scheduler: part('what chooses nodes for pods', scheduler),
  };
}

import {
  type ClusterPlan,
  factoryOf,
  isInstaller,
  isSecure,
  logSinkPort,
  type NodeSettings,
  orchEndpointOf,
  type PlannedNode,
  urlHost,
} from '@nodecore/clusters';
import { checkMode, ConfigError, parse, type Patch, patchConfiguration } from '@nodecore/config';
import { stringify } from 'yaml';

import { settingDocuments } from './node-documents.ts';
import { volumeDocuments } from './volume-documents.ts';
import { nodeText } from '../gen/node-text.ts';
import type { NodeSecrets } from '../gen/secrets.ts';

/** What is put over the configuration, in this order: the login, what flags ask for, the user's patches of all, then those of the type, then the node's own. */
export type Patches = {
  /** The documents by which nodes get images that want a login. */
  readonly login?: readonly string[];
  readonly all: readonly Patch[];
  readonly controlplane: readonly Patch[];
  readonly worker: readonly Patch[];
  /** By the name of the node. */
  readonly own?: ReadonlyMap<string, string>;
};

/**
 * The configuration of a node, checked. Volumes of the node itself are sealed to the TPM where Secure Boot is asked for; what was
 * started from a CD or the network installs itself on its first disk.
 *
 * @throws {ConfigError} for a patch that does not apply, or makes it invalid, such as a volume of a node without disks.
 */
export function configurationOf(
  plan: ClusterPlan,
  node: PlannedNode,
  secrets: NodeSecrets,
  patches: Patches,
): string {
  const [first] = plan.nodes;
  const { vip, endpoint } = plan.request.settings ?? {};
  const more = [vip, endpoint].flatMap((each) => each ?? []);
  const text = nodeText(
    {
      name: plan.request.name,
      endpoint: orchEndpointOf(plan),
      additionalSans: [...new Set([node.address, node.address6, node.door.address, ...more])].filter(
        (each) => each !== undefined,
      ),
    },
    secrets,
  );
  const ours = [
    rolePatch(node, first, plan.request.settings ?? {}),
    ...(isSecure(plan.request.presets) ? [sealed] : []),
    ...(installs(plan) ? [installation(plan, node)] : []),
    ...(patches.login ?? []),
    ...settingDocuments(plan, node),
    ...volumeDocuments(plan, node),
    ...(plan.request.jsonLogs === true ? [logging(plan)] : []),
  ];
  const file = `${node.type}.yaml`;
  const own = patches.own?.get(node.name);
  const made = patchConfiguration(
    text,
    [
      ...ours.map((each) => ({ text: each })),
      ...patches.all,
      ...patches[node.type],
      ...(own === undefined ? [] : [{ text: own }]),
    ],
    { file },
  );
  using configuration = parse(made, { file });
  if (plan.request.container === undefined) return made;
  const { problems } = checkMode(configuration, 'container', { file });
  if (problems.length > 0)
    throw new ConfigError('ERR_CONFIG_INVALID', `${file}: a container can't have all of it`, problems);
  return made;
}

/** The first machine of the control plane begins the kvstore, the others join it, workers have none of it, and no key. */
function rolePatch(
  node: PlannedNode,
  first: PlannedNode | undefined,
  { initNode, noKvstore }: NodeSettings,
): string {
  if (node.type === 'worker')
    return stringify({
      version: 'v1alpha1',
      machine: { type: 'worker', ca: { key: null } },
      cluster: { kvstore: null },
    });
  const endpoints = node === first ? [] : [`https://${urlHost(first?.address ?? '')}:2379`];
  return stringify({
    version: 'v1alpha1',
    ...(initNode === true && node === first && { machine: { type: 'init' } }),
    ...(noKvstore === true && { cluster: { kvstore: null } }),
    ...(noKvstore !== true && endpoints.length > 0 && { cluster: { kvstore: { endpoints } } }),
  });
}

function logging({ lan }: ClusterPlan): string {
  const destination = {
    endpoint: `tcp://${urlHost(lan?.gateway ?? '')}:${logSinkPort}`,
    format: 'json_lines',
  };
  return stringify({ version: 'v1alpha1', machine: { logging: { destinations: [destination] } } });
}

function installs({ request: { image, skipsInstall } }: ClusterPlan): boolean {
  return isInstaller(image) && skipsInstall !== true;
}

/** The system disk of a planned machine is known by its serial, which an SD card has not. */
function installation(plan: ClusterPlan, { disks: [system] }: PlannedNode): string {
  const { presets, schematic, version, factory, installImage } = plan.request;
  const name = `metal-installer${isSecure(presets) ? '-secureboot' : ''}`;
  const match =
    system?.driver === 'mmc'
      ? 'disk.dev_path == "/dev/mmcblk0"'
      : `disk.serial == ${JSON.stringify(system?.serial)}`;
  const made = factory === '' ? undefined : `${factoryOf(plan)}/${name}/${schematic}:${version}`;
  const image = installImage ?? made;
  return stringify(
    {
      apiVersion: 'v1alpha1',
      kind: 'UnattendedInstallConfig',
      // What has booted says by itself which one it is of.
      ...(image === undefined ? { reboot: true } : { installer: { image } }),
      provisioning: { diskSelector: { match } },
    },
    { lineWidth: 0 },
  );
}

const key = { slot: 0, tpm: { checkSecurebootStatusOnEnroll: true } };
const sealed = ['STATE', 'EPHEMERAL']
  .map((name) =>
    stringify({
      apiVersion: 'v1alpha1',
      kind: 'VolumeConfig',
      name,
      encryption: {
        provider: 'luks2',
        keys: [{ ...key, ...(name === 'EPHEMERAL' && { lockToState: true }) }],
      },
    }),
  )
  .join('---\n');

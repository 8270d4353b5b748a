import { isFlex, isOfFlex } from '../legacy/flex-mounts.ts';
import { type Place } from '../place.ts';
import { type Documents } from './documents.ts';

const inTree = 'is a volume plugin in the orchestrator itself, which is going: use a CSI driver';
/** Volumes of pods whose plugins are in the orchestrator's own tree, and have drivers outside of it today. */
const inTreeVolumes: readonly string[] = [
  'awsElasticBlockStore',
  'azureDisk',
  'azureFile',
  'cephfs',
  'cinder',
  'gcePersistentDisk',
  'glusterfs',
  'photonPersistentDisk',
  'portworxVolume',
  'quobyte',
  'rbd',
  'scaleIO',
  'storageos',
  'vsphereVolume',
];

const flexFlags = ['volume-plugin-dir', 'flex-volume-plugin-dir'] as const;

/** Warns of volume plugins that are leaving the orchestrator, or have left it. */
export function checkVolumePlugins(documents: Documents): void {
  for (const kind of ['OrchKubeletConfig', 'OrchControllerManagerConfig', 'OrchAPIServerConfig'] as const)
    for (const { value, at } of documents.of(kind)) checkFlags(value.extraArgs, at.at('extraArgs'));
  for (const { value, at } of documents.of('OrchKubeletConfig'))
    if (value.config?.['volumePluginDir'] !== undefined)
      at.at('config', 'volumePluginDir').warning('volume.flex', isOfFlex);
  for (const { value, at } of documents.of('OrchStaticPodConfig'))
    for (const [index, volume] of volumesOf(value.pod).entries())
      for (const name of Object.keys(volume)) {
        const place = at.at('pod', 'spec', 'volumes', index, name);
        if (inTreeVolumes.includes(name)) place.warning('volume.in_tree', inTree);
        if (name === 'flexVolume' || isFlexPath(volume[name])) place.warning('volume.flex', isOfFlex);
      }
}

function isFlexPath(volume: unknown): boolean {
  const path = isMapping(volume) ? volume['path'] : undefined;
  return typeof path === 'string' && isFlex(path);
}

function checkFlags(args: ReadonlyMap<string, readonly string[]> | undefined, at: Place): void {
  for (const [name, values] of args ?? []) {
    if ((flexFlags as readonly string[]).includes(name)) at.at(name).warning('volume.flex', isOfFlex);
    // A cloud whose program is in the tree; `external` is one outside.
    if (name === 'cloud-provider' && values.some((value) => value !== '' && value !== 'external'))
      at.at(name).warning('volume.in_tree', inTree);
  }
}

function volumesOf(pod: unknown): readonly Readonly<Record<string, unknown>>[] {
  const spec = isMapping(pod) ? pod['spec'] : undefined;
  const volumes = isMapping(spec) ? spec['volumes'] : undefined;
  return Array.isArray(volumes) ? volumes.map((one) => (isMapping(one) ? one : {})) : [];
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

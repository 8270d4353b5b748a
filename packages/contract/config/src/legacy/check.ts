import { hasKey } from '../authority.ts';
import { type Place } from '../place.ts';
import { checkFlexMounts } from './flex-mounts.ts';

/** What the node checks and keeps, and does not act on. */
const keeps = 'this version of the node checks and keeps it, and does not act on it';

/** Fields without a document of their own that this version of the node does nothing about. */
const idle: readonly (readonly string[])[] = [
  ['debug'],
  ['machine', 'disks'],
  ['machine', 'files'],
  ['machine', 'seccompProfiles'],
  ['machine', 'features', 'diskQuotaSupport'],
  ['machine', 'features', 'nodeAddressSortAlgorithm'],
  ['cluster', 'kvstore', 'image'],
  ['cluster', 'externalCloudProvider'],
  ['cluster', 'adminOrchconfig'],
];

/** Switches that are on, whatever a configuration says. */
const alwaysOn: readonly (readonly string[])[] = [
  ['machine', 'features', 'rbac'],
  ['machine', 'features', 'apidCheckExtKeyUsage'],
];

/** Rules of the root over several of its fields, and warnings of what is old or has no effect. */
export function checkRoot(root: Place): void {
  for (const path of idle) root.find(path)?.warning('kind.no_effect', keeps);
  for (const path of alwaysOn) {
    const place = root.find(path);
    if (place?.boolean() === false) place.warning('kind.no_effect', 'has no effect: it is always on');
  }
  const persist = root.get('persist');
  if (persist?.boolean() === false)
    persist.problem('root.persist', 'a configuration is always kept: remove the field');
  checkWorker(root);
  checkDisks(root.find(['machine', 'disks']));
  checkInterfaces(root.find(['machine', 'network', 'interfaces']));
  checkInstall(root.find(['machine', 'install']));
  checkFlexMounts(root.find(['machine', 'kubelet', 'extraMounts']), ['destination', 'source']);
  for (const name of ['apiServer', 'controllerManager', 'scheduler'])
    checkFlexMounts(root.find(['cluster', name, 'extraVolumes']), ['hostPath', 'mountPath']);
}

/** The key of the authority in the document of a worker. */
export const workerKey = {
  code: 'machine.worker_key',
  message: 'is the key of the cluster, and not read: a worker has its certificate signed. Remove it',
} as const;

/** What a worker must not have, and a control plane must. */
function checkWorker(root: Place): void {
  const type = root.find(['machine', 'type'])?.text();
  const authority = root.find(['machine', 'ca']);
  if (type !== 'worker' && type !== 'join') {
    if (authority?.isMapping() === true && !hasKey(authority))
      authority.problemAt('key', 'required', 'required and missing: a control plane issues certificates');
    return;
  }
  // No problem: an older version has asked for it, and a node must not be lost to an upgrade. It is refused when it is applied.
  if (authority?.isMapping() === true && hasKey(authority))
    authority.get('key')?.warning(workerKey.code, workerKey.message);
  const key = root.find(['cluster', 'ca', 'key']);
  if ((key?.text() ?? '') !== '')
    key?.problem('machine.worker_key', 'is the key of the cluster: a worker must not have it');
  root
    .find(['cluster', 'kvstore'])
    ?.problem('machine.controlplane_only', 'only a machine of type controlplane is a member of the kvstore');
}

function checkDisks(disks: Place | undefined): void {
  for (const disk of disks?.items() ?? []) {
    const partitions = disk.get('partitions')?.items() ?? [];
    for (const partition of partitions.slice(0, -1))
      if (partition.isMapping() && partition.get('size') === undefined)
        partition.problem(
          'disk.partition_size',
          'takes the rest of the disk, and others follow: give it a size',
        );
  }
}

const addressing = ['addresses', 'cidr', 'dhcp', 'vip', 'routes', 'vlans'] as const;

/** An interface that is part of another has no address of its own. */
function checkInterfaces(interfaces: Place | undefined): void {
  const all = interfaces?.items() ?? [];
  const owners = new Map<string, string>();
  for (const one of all)
    for (const master of ['bond', 'bridge'] as const)
      for (const link of one.get(master)?.get('interfaces')?.items() ?? []) {
        const [name, owner] = [link.text(), one.get('interface')?.text()];
        if (name !== undefined) owners.set(name, owner ?? master);
      }
  for (const one of all) {
    const owner = owners.get(one.get('interface')?.text() ?? '');
    const own = addressing
      .map((name) => one.get(name))
      .find((place) => place !== undefined && place.boolean() !== false);
    if (owner !== undefined) own?.problem('interface.enslaved', `is of ${owner}, which has the addresses`);
  }
}

/** Installers that were published in a registry, before the image factory was. */
const publishedInstaller = /^ghcr\.io\/[^@]*\/installer(?:[:@]|$)/u;

function checkInstall(install: Place | undefined): void {
  const image = install?.get('image');
  if (publishedInstaller.test(image?.text() ?? ''))
    image?.warning(
      'install.image_registry',
      'is not published any more: take the installer of the image factory',
    );
  const extensions = install?.get('extensions');
  extensions?.warning(
    'install.extensions',
    'are part of the image: choose them in the schematic of the image factory',
  );
  install
    ?.get('extraKernelArgs')
    ?.warning('install.kernel_arguments', 'have no effect: the image brings its command line');
}

/** Flags with files that machines start from: they are brought to the computer with the clusters, and named by their digests. */
export const imageFlags: ReadonlySet<string> = new Set([
  'disk-image-path',
  'image',
  'initrd-path',
  'iso-path',
  'uki-path',
  'usb-path',
  'vmlinuz-path',
]);

/** Flags whose `@<file>` is read where it was typed. */
export const textFlags: ReadonlySet<string> = new Set([
  'config-patch',
  'config-patch-control-plane',
  'config-patch-controlplanes',
  'config-patch-worker',
  'config-patch-workers',
  'fleet-api-endpoint',
  'image-factory-auth',
]);

/** Flags that name files of this computer for what comes from the other, and in which pieces it does. */
export const archiveFlags: ReadonlyMap<string, 'archive' | 'support'> = new Map([
  ['save-cluster-logs-archive-path', 'archive'],
  ['save-support-archive-path', 'support'],
]);

/** Flags about the computer where they are typed. */
const ownFlags: ReadonlySet<string> = new Set([
  'context',
  'osconfig',
  'osconfig-destination',
  'provisioner',
  ...archiveFlags.keys(),
]);

/** Whether a flag says something to this computer alone. */
export function isOwn(name: string): boolean {
  return ownFlags.has(name) || name.startsWith('remote-');
}

/** Flags without a value; without one any other would take the next word of the command line for its own. */
export const bareFlags: ReadonlySet<string> = new Set(['follow', 'force', 'off', 'services', 'watch']);

/** Flags that name files of the computer with the clusters, which is nobody else's business. */
export const hostFlags: ReadonlySet<string> = new Set([
  ...ownFlags,
  'cni-bin-path',
  'cni-cache-dir',
  'cni-conf-dir',
  'extra-uefi-search-paths',
  'image-cache-path',
  'image-cache-tls-cert-file',
  'image-cache-tls-key-file',
  'mount',
  'state',
]);

/** The volumes that a node keeps for itself. */
export const systemVolumeNames = [
  'STATE',
  'EPHEMERAL',
  'IMAGECACHE',
  'ETCD',
  'CRI',
  'KUBELET',
  'LOG',
] as const;

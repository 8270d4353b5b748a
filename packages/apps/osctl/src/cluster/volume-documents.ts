import { type ClusterRequest, type PlannedNode, volumeSerial } from '@nodecore/clusters';
import { stringify } from 'yaml';

/** The documents of volumes that are encrypted, or the user's own. */
export function volumeDocuments(
  { encryption, userVolumes = [] }: Pick<ClusterRequest, 'encryption' | 'userVolumes'>,
  node: Pick<PlannedNode, 'index'>,
): readonly string[] {
  const keys = encryption?.keys.map((type, slot) => ({
    slot,
    ...(type === 'tpm' ? { tpm: {} } : { nodeID: {} }),
  }));
  /** A volume that is not STATE may need what lies there, so that the disk alone opens none of it. */
  const encrypted = (lockToState: boolean): object => ({
    encryption: {
      provider: 'luks2',
      keys: keys?.map((key) => ({ ...key, ...(lockToState && { lockToState }) })),
    },
  });
  return [
    ...(encryption?.state === true ? [document('VolumeConfig', 'STATE', encrypted(false))] : []),
    ...(encryption?.ephemeral === true ? [document('VolumeConfig', 'EPHEMERAL', encrypted(true))] : []),
    ...userVolumes.flatMap((volumes, number) =>
      volumes.map(({ name, sizeBytes }) =>
        document('UserVolumeConfig', name, {
          provisioning: {
            diskSelector: { match: `disk.serial == ${JSON.stringify(volumeSerial(node, number))}` },
            minSize: sizeBytes,
            maxSize: sizeBytes,
          },
          ...(encryption?.userVolumes === true && encrypted(false)),
        }),
      ),
    ),
  ];
}

function document(kind: string, name: string, more: object): string {
  return stringify({ apiVersion: 'v1alpha1', kind, name, ...more }, { lineWidth: 0 });
}

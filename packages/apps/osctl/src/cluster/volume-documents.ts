import {
  type ClusterPlan,
  type ClusterRequest,
  kmsPort,
  type PlannedNode,
  urlHost,
  volumeSerial,
} from '@nodecore/clusters';
import { stringify } from 'yaml';

/** What volumes depend on. */
type VolumePlan = Pick<ClusterPlan, 'lan'> & {
  readonly request: Pick<ClusterRequest, 'encryption' | 'userVolumes'>;
};

/** The documents of volumes that are encrypted, or the user's own. */
export function volumeDocuments(
  { lan, request: { encryption, userVolumes = [] } }: VolumePlan,
  node: Pick<PlannedNode, 'index'>,
): readonly string[] {
  const endpoint = `grpc://${urlHost(lan?.gateway ?? '')}:${kmsPort}`;
  const keys = encryption?.keys.map((type, slot) => ({
    slot,
    ...(type === 'tpm' ? { tpm: {} } : type === 'kms' ? { kms: { endpoint } } : { nodeID: {} }),
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

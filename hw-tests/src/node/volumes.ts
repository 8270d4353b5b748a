import { type Client, decodeSpec, follow } from '@nodecore/api';
import { parseAllDocuments } from 'yaml';

/** What a person wants to know about a volume on its way. */
export type VolumeProgress = {
  readonly id: string;
  readonly phase: string;
  readonly reason?: string;
  readonly errorMessage?: string;
};

const statuses = 'VolumeStatuses.block.nodecore.dev';
const configurations = 'MachineConfigs.config.nodecore.dev';

/**
 * Follows the volumes of a node until every configured one is ready. Calls `onChange` for each change of phase.
 * Rejects with `signal.reason`.
 */
export async function waitForVolumes(
  client: Client,
  systemVolumes: readonly string[],
  onChange: (volume: VolumeProgress, ready: number, all: number) => void,
  signal: AbortSignal,
): Promise<readonly VolumeProgress[]> {
  const wanted = [...systemVolumes, ...(await configuredVolumes(client, signal))];
  if (wanted.length === 0) return [];
  const known = new Map<string, VolumeProgress>();
  for await (const changes of follow(client, { type: statuses }, { signal })) {
    for (const change of changes) {
      if (change.kind === 'bootstrapped' || change.kind === 'destroyed') continue;
      const id = change.resource.metadata?.id ?? '';
      const volume = { ...(decodeSpec(change.resource.spec) as Omit<VolumeProgress, 'id'>), id };
      const before = known.get(id);
      known.set(id, volume);
      const ready = wanted.filter((name) => known.get(name)?.phase === 'ready').length;
      if (before?.phase !== volume.phase || before.reason !== volume.reason)
        onChange(volume, ready, wanted.length);
    }
    if (wanted.every((name) => known.get(name)?.phase === 'ready')) break;
  }
  signal.throwIfAborted();
  return wanted.flatMap((name) => known.get(name) ?? []);
}

/** Ids of the user volumes in the node's active configuration. Its text comes redacted; names are no secret. */
async function configuredVolumes(client: Client, signal: AbortSignal): Promise<string[]> {
  const { resource } = await client.get(
    { namespace: 'config', type: configurations, id: 'v1alpha1' },
    { signal },
  );
  const text = resource === undefined ? '' : String(decodeSpec(resource.spec));
  return parseAllDocuments(text).flatMap((document) => {
    const { kind, name } = (document.toJS() ?? {}) as { readonly kind?: string; readonly name?: string };
    return kind === 'UserVolumeConfig' && name !== undefined ? [`u-${name}`] : [];
  });
}

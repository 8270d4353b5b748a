import { type Change, type Client, decodeSpec, follow } from '@nodecore/api';
import { codeOf } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';
import { parseAllDocuments } from 'yaml';

/** What a person wants to know about a volume on its way. */
export type VolumeProgress = {
  readonly id: string;
  readonly phase: string;
  readonly reason?: string;
  readonly errorMessage?: string;
  /** Whether time alone can mend a failure. */
  readonly permanence?: 'transient' | 'needs-operator' | 'fatal';
};

/** Some volumes need somebody's help, or more time than they were given. The message names each with its reason. */
export class VolumesError extends Error {
  constructor(volumes: readonly VolumeProgress[], options?: ErrorOptions) {
    super(`not ready: ${volumes.map(inWords).join('; ')}`, options);
  }

  static {
    this.prototype.name = 'VolumesError';
  }
}

/** `u-data: waiting (2 disks match, need 1: …)` */
export function inWords({ id, phase, reason, errorMessage }: VolumeProgress): string {
  const why = phase === 'failed' ? (errorMessage ?? reason) : reason;
  return why === undefined || why === '' ? `${id}: ${phase}` : `${id}: ${phase} (${why})`;
}

const statuses = 'VolumeStatuses.block.nodecore.dev';
const configurations = 'MachineConfigs.config.nodecore.dev';

/**
 * Follows the volumes of a node until every configured one is ready. Calls `onChange` for each change of phase.
 * Rejects with a `VolumesError` when one needs an operator, or when `signal` fires first.
 */
export async function waitForVolumes(
  client: Client,
  systemVolumes: readonly string[],
  onChange: (volume: VolumeProgress, ready: number, all: number) => void,
  signal: AbortSignal,
): Promise<readonly VolumeProgress[]> {
  const wanted = [...systemVolumes, ...(await configuredVolumes(client, signal))];
  if (wanted.length === 0) return [];
  const known = new Map(wanted.map((id): [string, VolumeProgress] => [id, { id, phase: 'waiting' }]));
  const ready = (): number => wanted.filter((id) => known.get(id)?.phase === 'ready').length;
  try {
    for await (const changes of follow(client, { type: statuses }, { signal })) {
      for (const change of changes) {
        const volume = progressOf(change);
        if (volume === undefined || !known.has(volume.id)) continue;
        const before = known.get(volume.id);
        known.set(volume.id, volume);
        if (before?.phase !== volume.phase || before.reason !== volume.reason) {
          onChange(volume, ready(), wanted.length);
        }
      }
      if (ready() === wanted.length) break;
      if ([...known.values()].every(isSettled)) break;
    }
  } catch (cause) {
    if (!signal.aborted) throw cause;
  }
  const volumes = [...known.values()];
  if (ready() === wanted.length) return volumes;
  throw new VolumesError(volumes.filter(({ phase }) => phase !== 'ready'));
}

function progressOf(change: Change): VolumeProgress | undefined {
  if (change.kind === 'bootstrapped' || change.kind === 'destroyed') return undefined;
  const id = change.resource.metadata?.id ?? '';
  return { ...(decodeSpec(change.resource.spec) as Omit<VolumeProgress, 'id'>), id };
}

/** Ready, or failed in a way that waiting does not mend. */
function isSettled({ phase, permanence }: VolumeProgress): boolean {
  return phase === 'ready' || (phase === 'failed' && permanence !== undefined && permanence !== 'transient');
}

/** Ids of the user volumes in the node's active configuration. Its text comes redacted; names are no secret. */
async function configuredVolumes(client: Client, signal: AbortSignal): Promise<string[]> {
  const text = await activeConfiguration(client, signal);
  return parseAllDocuments(text).flatMap((document) => {
    const { kind, name } = (document.toJS() ?? {}) as { readonly kind?: string; readonly name?: string };
    return kind === 'UserVolumeConfig' && name !== undefined ? [`u-${name}`] : [];
  });
}

/** A node whose processor is emulated and busy may let a connection go; the question is as good on the next one. */
async function activeConfiguration(client: Client, signal: AbortSignal): Promise<string> {
  for (;;) {
    try {
      const request = { namespace: 'config', type: configurations, id: 'v1alpha1' };
      const { resource } = await client.get(request, { signal });
      return resource === undefined ? '' : String(decodeSpec(resource.spec));
    } catch (error) {
      if (codeOf(error) !== 'ERR_API_UNREACHABLE') throw error;
      await systemClock.sleep(1_000, signal);
    }
  }
}

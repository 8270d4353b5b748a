import { isDeepStrictEqual } from 'node:util';

import { type Client, decodeSpec } from '@nodecore/api';
import { EventType } from '@nodecore/api/resource';
import type { ExecutionContext } from 'ava';

import {
  blkidArguments,
  type Verdict,
  verdictOf,
} from '../../packages/storage/block/test/discovery/blkid-program.ts';
import {
  lsblkArguments,
  parseLsblk,
  sameColumns,
} from '../../packages/storage/block/test/discovery/lsblk-columns.ts';
import type { RigMachine } from '../src/index.ts';

type Spec = Readonly<Record<string, unknown>>;

/** What a node says of its disks is what `blkid -p` and `lsblk -O -J` say inside it, device by device. */
export async function checkAnswers(t: ExecutionContext, client: Client, machine: RigMachine): Promise<void> {
  const { verdicts, lsblk } = await programs(machine);
  const { devices, edges } = parseLsblk(lsblk);
  const found = await foundLike(client, verdicts);
  t.deepEqual(verdictsOf(found), verdicts);
  const disks = await specsOf(client, 'Disks');
  const stack = await specsOf(client, 'BlockDevices');
  t.deepEqual([...edgesOf(stack)].sort(), [...edges].sort());
  for (const [id, volume] of found) {
    const device = devices.get(id);
    t.not(device, undefined, id);
    if (device !== undefined) sameColumns(t, device, columns(volume, stack.get(id), disks.get(id)));
  }
}

/** The node hears of changes: what it says becomes what the programs say, if it ever does. */
async function foundLike(
  client: Client,
  verdicts: ReadonlyMap<string, Verdict>,
): Promise<ReadonlyMap<string, Spec>> {
  const found = new Map<string, Spec>();
  const signal = AbortSignal.timeout(60_000);
  try {
    for await (const { events } of client.watch({ type: typeOf('DiscoveredVolumes') }, { signal })) {
      for (const { type, resource } of events) {
        if (resource?.metadata === undefined) continue;
        if (type === EventType.DESTROYED) found.delete(resource.metadata.id);
        else found.set(resource.metadata.id, decodeSpec(resource.spec) as Spec);
      }
      if (isDeepStrictEqual(verdictsOf(found), verdicts)) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return found;
}

function verdictsOf(found: ReadonlyMap<string, Spec>): Map<string, Verdict> {
  return new Map([...found].map(([id, volume]) => [id, ourVerdict(volume)] as const).sort(byId));
}

function byId([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function typeOf(name: string): string {
  return `${name}.block.nodecore.dev`;
}

async function specsOf(client: Client, name: string): Promise<ReadonlyMap<string, Spec>> {
  const specs = new Map<string, Spec>();
  for await (const { resources } of client.list({ type: typeOf(name) })) {
    for (const { metadata, spec } of resources) specs.set(metadata?.id ?? '', decodeSpec(spec) as Spec);
  }
  return specs;
}

/** Both programs in one command: an emulated machine takes its time for each. */
async function programs(
  machine: RigMachine,
): Promise<{ readonly verdicts: ReadonlyMap<string, Verdict>; readonly lsblk: string }> {
  const script = `${lsblkArguments.join(' ')}
    for name in $(lsblk --noheadings --list --output KNAME | sort -u); do
      printf '\\0%s\\0' "$name"; ${blkidArguments.join(' ')} "/dev/$name"; printf '\\0%s' $?
    done`;
  const { stdout } = await machine.run(['sh', '-c', script]);
  const [lsblk = '', ...said] = stdout.toString().split('\0');
  const verdicts = new Map<string, Verdict>();
  for (let at = 0; at < said.length; at += 3) {
    const [name = '', text = '', code] = said.slice(at, at + 3);
    verdicts.set(name, verdictOf({ stdout: text, code: Number(code) }));
  }
  return { verdicts: new Map([...verdicts].sort(byId)), lsblk };
}

function ourVerdict(volume: Spec): Verdict {
  return {
    name: String(volume['name']),
    uuid: String(volume['uuid']),
    label: String(volume['label']),
    blockSize: Number(volume['block_size']),
    partitionUuid: String(volume['partition_uuid']),
    partitionType: String(volume['partition_type']),
    partitionLabel: String(volume['partition_label']),
    partitionIndex: Number(volume['partition_index']),
  };
}

/** Which device stands on which, as in `lsblk`. */
function edgesOf(stack: ReadonlyMap<string, Spec>): Set<string> {
  const edges = new Set<string>();
  for (const [id, { parent, secondaries, holders }] of stack) {
    if (parent !== '') edges.add(`${String(parent)} ${id}`);
    for (const below of secondaries as readonly string[]) edges.add(`${below} ${id}`);
    for (const above of holders as readonly string[]) edges.add(`${id} ${above}`);
  }
  return edges;
}

/** The columns of `lsblk` that the node has a word for, in its words. */
function columns(volume: Spec, stack: Spec | undefined, disk: Spec | undefined): Record<string, unknown> {
  const signatures = volume['signatures'] as readonly Spec[];
  const content = signatures.find(({ usage }) => usage !== 'partition-table');
  return {
    'maj:min': stack?.['number'],
    size: Number(volume['size']),
    'log-sec': volume['sector_size'],
    uuid: content?.['uuid'] ?? '',
    label: content?.['label'] ?? '',
    partuuid: volume['partition_uuid'],
    parttype: volume['partition_type'],
    partlabel: volume['partition_label'],
    ...(disk !== undefined && {
      ro: disk['readonly'],
      rota: disk['rotational'],
      model: disk['model'],
      serial: disk['serial'],
    }),
  };
}

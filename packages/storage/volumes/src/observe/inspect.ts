import type { Inventory, Mount } from '@nodecore/block';

import type { Content } from '../facts/content.ts';
import type { Observations } from '../effects.ts';
import type { DeviceFacts, Found, Made, MappingFacts } from '../facts/facts.ts';
import { isBeingMade, isStill, type IntentRecord } from '../intents/intent.ts';
import type { DeviceReader } from './device-reader.ts';
import { markOf, provenanceOf, type Provenance } from '../facts/provenance.ts';
import { growableSizeBytes } from './growth-limit.ts';
import { isSameDevice } from '../disks/same-device.ts';
import { mappingName, type VolumeSpec } from '../spec.ts';
import { isMountOfNumber } from './target.ts';

export type Subject = {
  readonly spec: VolumeSpec;
  readonly found: Found;
  readonly inventory: Inventory;
  readonly record: IntentRecord | undefined;
  /** A program that uses it may need exclusive access: what is on it is not proven, only recognised. */
  readonly isInUse: boolean;
  /** How far this run has come in making its content; nothing unless given. */
  readonly made?: Made;
  /** All mounts, when they are known; read unless given. */
  readonly mounts?: readonly Mount[];
};

/** Nothing may be concluded from what is on it. */
const halfMade: Content = { kind: 'unknown', reasons: ['it is being made'] };

/** Reads the located device again, by its own identity: kernel names may have changed hands since. */
export async function inspect(subject: Subject, reader: DeviceReader): Promise<DeviceFacts | 'gone'> {
  const again = await findAgain(subject, reader);
  if (again === undefined) return 'gone';
  const { found, room } = again;
  const { spec, record, isInUse, made = 'nothing' } = subject;
  const { effects } = reader;
  const { mounts = await effects.mounts() } = subject;
  const see = (path: string): Promise<Content> => (isInUse ? reader.recognised(path) : reader.content(path));
  const underConstruction = found.partition?.underConstruction ?? isBeingMade(found.disk, record);
  const size = (await effects.deviceSize(found.devPath)) ?? found.size;
  const place = { found, size, ...(room === undefined ? {} : { room }), underConstruction };
  // This run has begun it: each step proves by itself what it needs of the content, and no decision between them rests on it.
  if (underConstruction && made !== 'nothing') {
    const paths = [found.devPath, `/dev/mapper/${mappingName(spec.id)}`];
    return { ...place, content: halfMade, mountedAt: await targetsOf(paths, mounts, effects) };
  }
  const content = await see(found.devPath);
  const provenance = underConstruction ? await provenanceIn(subject, found, content, reader) : undefined;
  const mapping = await inspectMapping(spec, found, content, effects);
  const inner = mapping?.ours === true ? await see(mapping.path) : undefined;
  const paths = mapping?.ours === true ? [found.devPath, mapping.path] : [found.devPath];
  return {
    ...place,
    content,
    ...(provenance === undefined ? {} : { provenance }),
    ...(mapping === undefined ? {} : { mapping }),
    ...(inner === undefined ? {} : { inner }),
    mountedAt: await targetsOf(paths, mounts, effects),
  };
}

async function provenanceIn(
  { spec, record }: Subject,
  found: Found,
  content: Content,
  reader: DeviceReader,
): Promise<Provenance> {
  const mark = markOf(spec.id, found, record);
  return provenanceOf(content, mark, mark !== undefined && (await reader.isMarked(found.devPath, mark)));
}

type Again = { readonly found: Found; readonly room?: bigint };

async function findAgain(
  { spec, found, inventory }: Subject,
  reader: DeviceReader,
): Promise<Again | undefined> {
  const disk = inventory.disks.find((one) => one.devPath === found.disk.devPath);
  if (disk === undefined || !isStill(disk, found.disk)) return undefined;
  if (found.existing !== undefined && !isStillThere(found, inventory)) return undefined;
  if (found.existing !== undefined || found.partition === undefined) return { found: { ...found, disk } };
  const { partitionGuid } = found.partition;
  const table = await reader.table(disk.devPath);
  const partition = table?.partitions.find((one) => one.partitionGuid === partitionGuid);
  if (table === undefined || partition === undefined) return undefined;
  const { devPath, size } = partition;
  const room = growableSizeBytes(spec, partitionGuid, table);
  return { found: { ...found, disk, partition, devPath, size }, ...(room === undefined ? {} : { room }) };
}

function isStillThere({ devPath, existing }: Found, { volumes }: Inventory): boolean {
  const volume = volumes.find((one) => one.devPath === devPath);
  return volume?.uuid === existing?.uuid && volume?.partitionUuid === existing?.partitionUuid;
}

async function inspectMapping(
  spec: VolumeSpec,
  found: Found,
  content: Content,
  effects: Observations,
): Promise<MappingFacts | undefined> {
  // A host without device-mapper serves volumes in clear all the same.
  if (spec.encryption === undefined && content.kind !== 'luks') return undefined;
  const active = await effects.mapping(mappingName(spec.id));
  if (active === undefined) return undefined;
  const here = await isSameDevice(active.device, found.devPath, effects);
  return {
    ours: here && content.kind === 'luks' && content.uuid === active.uuid,
    device: here ? found.devPath : active.device,
    path: active.path,
    ...flagDifference(spec, active.flags),
  };
}

/** dm-crypt takes its flags when it is opened, and keeps them. */
function flagDifference(spec: VolumeSpec, active: readonly string[]): { readonly difference?: string } {
  const { options = [], allowDiscards = false } = spec.encryption ?? {};
  const wanted = [...options, ...(allowDiscards ? ['allow_discards'] : [])];
  const lacks = wanted.filter((flag) => !active.includes(flag)).map((flag) => `lacks ${flag}`);
  const has = active.filter((flag) => !wanted.includes(flag)).map((flag) => `has ${flag}`);
  const difference = [...lacks, ...has].join(', ');
  return difference === '' ? {} : { difference };
}

async function targetsOf(
  paths: readonly string[],
  mounts: readonly Mount[],
  effects: Observations,
): Promise<readonly string[]> {
  const devices = await Promise.all(
    paths.map(async (device) => ({ device, number: await effects.deviceNumber(device) })),
  );
  const found = await Promise.all(
    mounts.map(async (mount) => {
      const ours = await Promise.all(devices.map((device) => isMountOfNumber(mount, device, effects)));
      return ours.includes(true) ? [mount.target] : [];
    }),
  );
  return found.flat();
}

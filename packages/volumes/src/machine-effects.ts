import { stat } from 'node:fs/promises';

import * as block from '@nodecore/block';
import * as keys from '@nodecore/keys';
import * as luks from '@nodecore/luks';
import { codeOf } from '@nodecore/sys';

import type { Effects } from './effects.ts';
import { VolumeError } from './errors.ts';

/** An unmount writes back everything that is dirty; a slow disk takes its time. */
const unmountTimeoutMs = 90_000;

export type MachineEffectsOptions = {
  /** Goes into nodeID keys. */
  readonly machineUuid: string;
  /** What new keyslots cost; what luks chooses for this machine unless given. */
  readonly keyDerivation?: luks.Pbkdf;
};

/** This machine. Needs root. */
export function machineEffects({ machineUuid, keyDerivation }: MachineEffectsOptions): Effects {
  const costs = keyDerivation === undefined ? {} : { pbkdf: keyDerivation };
  return {
    readTable: (disk) => block.partitions.read(disk),
    emptiness: (path) => block.emptiness(path),
    probe: (path) => block.probe(path),
    mapping: (name) => luks.status(name),
    keyslots: (path) => luks.keyslots.list(path),
    mounts: () => block.mounts.list(),
    deviceNumber,
    createTable: async (disk) => {
      await block.partitions.create(disk);
    },
    addPartition: (disk, options) => block.partitions.add(disk, options),
    setUnderConstruction: (disk, guid, value) => block.partitions.setUnderConstruction(disk, guid, value),
    announce: async (disk) => {
      await block.partitions.announce(disk);
    },
    wipe: (path) => block.wipe.signatures(path),
    formatLuks: async (path, options) => {
      await luks.format(path, { ...options, ...costs });
    },
    openLuks: async (path, options) => (await luks.open(path, options)).keyslot,
    closeLuks: (name) => luks.close(name),
    addKey: async (path, options) => {
      await luks.keyslots.add(path, { ...options, ...costs });
    },
    keepFlags: async (path, flags) => {
      await luks.persistentFlags.set(path, flags);
    },
    makeFilesystem: async (path, options) => {
      await block.filesystems.format(path, options);
    },
    mount: ({ source, target, type, flags, mode, projectQuotaSupport }) =>
      block.mounts.mount({
        source,
        target,
        type,
        options: flags,
        mode,
        ...(projectQuotaSupport ? { data: { prjquota: true } } : {}),
      }),
    changeMount: (target, flags) => block.mounts.setOptions(target, flags),
    unmount: (target) => block.mounts.unmount(target, { timeoutMs: unmountTimeoutMs }),
    obtainKey: async (entry, volumeId) => {
      if (entry.kind === 'nodeID' || entry.kind === 'static') {
        return await keys.obtain(entry, { machineUuid, volumeId });
      }
      const message = `slot ${entry.slot}: a ${entry.kind} key can't be obtained without its token`;
      throw new VolumeError('ERR_VOLUME_KEYS', volumeId, message, 'fatal');
    },
  };
}

async function deviceNumber(path: string): Promise<string | undefined> {
  try {
    const facts = await stat(path);
    if (!facts.isBlockDevice()) return undefined;
    return `${majorOf(facts.rdev)}:${minorOf(facts.rdev)}`;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** makedev(3): 12 bits of major and 20 of minor, each in two pieces. */
function majorOf(device: number): number {
  const number = BigInt(device);
  return Number(((number >> 8n) & 0xfffn) | ((number >> 32n) & 0xfffff000n));
}

function minorOf(device: number): number {
  const number = BigInt(device);
  return Number((number & 0xffn) | ((number >> 12n) & 0xffffff00n));
}

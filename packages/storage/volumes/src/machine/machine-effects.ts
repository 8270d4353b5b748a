import { readFile, stat } from 'node:fs/promises';

import * as block from '@nodecore/block';
import * as keys from '@nodecore/keys';
import * as luks from '@nodecore/luks';
import { codeOf } from '@nodecore/sys';

import type { Effects } from '../effects.ts';
import { enforcedAccessControl } from './access-control.ts';
import { hiddenData } from './hidden-data.ts';
import { hiddenLastingData } from './lasting-data.ts';
import { missingForFilesystem } from './missing-filesystem.ts';

/** An unmount writes back everything that is dirty; a slow disk takes its time. */
const unmountTimeoutMs = 90_000;

/** Nothing that a healthy disk does takes this long for a few sectors. */
const deadlineMs = 10_000;

export type KeySources = Omit<keys.KeyContext, 'machineUuid' | 'volumeId'>;

export type MachineEffectsOptions = {
  /** Goes into nodeID keys. */
  readonly machineUuid: string;
  /** Ways to TPM, key servers and the salt of STATE, asked whenever keys are needed; none by default. */
  readonly keySources?: () => KeySources | Promise<KeySources>;
  /** What new keyslots cost, except those of random keys; what luks chooses for this machine unless given. */
  readonly keyDerivation?: luks.Pbkdf;
};

/** This machine. Needs root. */
export function machineEffects(options: MachineEffectsOptions): Effects {
  const { machineUuid, keyDerivation, keySources } = options;
  const costs = keyDerivation === undefined ? {} : { pbkdf: keyDerivation };
  return {
    readTable: (disk) => block.partitions.read(disk, { deadlineMs }),
    emptiness: (path, options) => block.emptiness(path, { ...options, deadlineMs }),
    requireUnused: (path, options) => block.wipe.requireUnused(path, options),
    probe: (path) => block.probe(path, { deadlineMs }),
    isMarked: (path, mark) => block.construction.isMarked(path, mark, { deadlineMs }),
    mapping: (name) => luks.status(name),
    mounts: () => block.mounts.list(),
    hiddenData,
    hiddenLastingData,
    enforcedAccessControl,
    missingForFilesystem: (type) => missingForFilesystem(type),
    deviceNumber,
    deviceSize,
    createTable: async (disk, options) => {
      await block.partitions.create(disk, options);
    },
    addPartition: (disk, options) => block.partitions.add(disk, options),
    setUnderConstruction: (disk, guid, value) => block.partitions.setUnderConstruction(disk, guid, value),
    announce: async (disk, partitionGuid, options) => {
      await block.partitions.announce(disk, { partitionGuid, ...options });
    },
    beginMaking: (path, options) => block.construction.begin(path, options),
    restartMaking: (path, options) => block.construction.restart(path, options),
    endMaking: (path, options) => block.construction.end(path, options),
    wipeMapping: (path) => block.wipe.signatures(path),
    wipeContent: (path, options) => block.wipe.content(path, options),
    blank: (path, options) => block.wipe.blank(path, options),
    removePartition: (disk, guid) => block.partitions.remove(disk, guid),
    formatLuks: async (path, { isRandom, ...options }) => {
      await luks.format(path, { ...options, ...keys.keyCosts(isRandom, keyDerivation) });
    },
    openLuks: async (path, options) => (await luks.open(path, options)).keyslot,
    closeLuks: (name) => luks.close(name),
    backupHeader: async (path, options) => (await luks.header.backup(path, options)).bytes,
    openBackup: async (path, bytes, options) => {
      const file = await luks.header.unpack(path, bytes, options);
      return {
        keyslots: keys.luksKeyslots(file.path, costs),
        [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
      };
    },
    restoreHeader: async (path, bytes, options) => (await luks.header.restore(path, bytes, options)).uuid,
    keepFlags: async (path, flags) => {
      await luks.persistentFlags.set(path, flags);
    },
    makeFilesystem: async (path, options) => {
      // As the first step of every construction; and a discard would take the mark with it.
      await block.filesystems.format(path, { ...options, wiped: true, discard: false });
    },
    checkFilesystem: (path, options) => block.filesystems.check(path, options),
    mount: ({ source, target, type, flags, mode, projectQuotaSupport }) =>
      block.mounts.mount({
        source,
        target,
        type,
        options: flags,
        ...(mode === undefined ? {} : { mode }),
        ...(projectQuotaSupport ? { data: { prjquota: true } } : {}),
      }),
    bindDirectory: ({ target, flags, mode }) =>
      block.mounts.bind({
        source: target,
        target,
        options: flags,
        ...(mode === undefined ? {} : { mode }),
      }),
    swaps: () => block.swaps.list(),
    swapOn: (path) => block.swaps.on(path),
    swapOff: (path) => block.swaps.off(path),
    changeMount: (target, flags) => block.mounts.setOptions(target, flags),
    unmount: (target) => block.mounts.unmount(target, { timeoutMs: unmountTimeoutMs }),
    growPartition: (disk, guid, sizeBytes) => block.partitions.grow(disk, guid, sizeBytes),
    growMapping: (name) => luks.resize(name),
    growFilesystem: (path, options) => block.filesystems.grow(path, options),
    keyslots: (path) => keys.luksKeyslots(path, costs),
    keyContext: async (volumeId) => ({ ...(await keySources?.()), machineUuid, volumeId }),
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

/** From sysfs: in sectors of 512 bytes, whatever the device's own are. */
async function deviceSize(path: string): Promise<bigint | undefined> {
  const number = await deviceNumber(path);
  if (number === undefined) return undefined;
  return BigInt((await readFile(`/sys/dev/block/${number}/size`, 'utf8')).trim()) * 512n;
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

import {
  type BlankOptions,
  BlockError,
  type ConstructionMark,
  type ConstructionOptions,
  type Emptiness,
  type MeantDisk,
  type Mount,
  type Partition,
  type PartitionTable,
  type ProbeResult,
  type WipeContentOptions,
} from '@nodecore/block';
import type { KeyContext, KeyslotStore } from '@nodecore/keys';
import { type Clock, within } from '@nodecore/waiting';
import { LuksError, type ActiveMapping, type OpenOptions, type TokenJson } from '@nodecore/luks';

import type {
  BackupOptions,
  CheckedFilesystem,
  Effects,
  GrowingFilesystem,
  NewBind,
  NewFilesystem,
  NewLuks,
  NewMount,
  NewPartition,
  OpenedBackup,
  RestoreOptions,
} from '../src/effects.ts';
import type { FilesystemType } from '../src/spec.ts';
import type { IntentRecord, IntentStore, MountFlags } from '../src/index.ts';
import {
  noise,
  signaturesOf,
  used,
  zero,
  type FakeLuks,
  type FakePartition,
  type Slot,
} from './fake-region.ts';
import { holdsData } from './fake-region.ts';
import type { FakeDisk } from './fake-disk.ts';
import { FakeKeyslots } from './fake-keyslots.ts';
import { describe, mountOf, optionsOf, placePartition } from './fake-facts.ts';
import type { FakeWorld } from './fake-world.ts';

const deadlineMs = 10_000;
const machineUuid = '6a1ba0d8-0b0c-4ed4-b4a2-8f1a5d5b3b6e';

/** Where a path is that lies on no volume. */
const rootMount = mountOf('/dev/root', '/', 'ext4', {
  readOnly: false,
  nosuid: false,
  nodev: false,
  noexec: false,
  noatime: false,
});

type SavedHeader = {
  readonly uuid: string;
  readonly keys: [number, string][];
  readonly tokens: [number, TokenJson][];
};

/** What one process sees and does of a fake world; after its death every call is refused. */
export class FakeEffects implements Effects, IntentStore {
  readonly #world: FakeWorld;
  readonly #clock: Clock;
  readonly #id: number;
  static #last = 0;
  static #current = new WeakMap<FakeWorld, number>();

  constructor(world: FakeWorld, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
    FakeEffects.#last += 1;
    this.#id = FakeEffects.#last;
    FakeEffects.#current.set(world, this.#id);
  }

  async readTable(path: string): Promise<PartitionTable | undefined> {
    const disk = await this.#patiently(path, this.#answering(path));
    const { region } = disk.slot;
    if (region.kind === 'foreign')
      throw new BlockError('ERR_BLOCK_FOREIGN_TABLE', path, `holds ${region.type}`);
    return disk.table;
  }

  async emptiness(path: string, options: { readonly wiped?: boolean } = {}): Promise<Emptiness> {
    const place = await this.#patiently(path, this.#open(path));
    this.#world.proofs.push(path);
    const isEmpty = place.region.kind === 'zero' && (place.mark === undefined || options.wiped === true);
    return proofOf(path, isEmpty ? [] : [describe(place)]);
  }

  async requireUnused(path: string): Promise<void> {
    await this.#patiently(path, this.#open(path));
  }

  async probe(path: string): Promise<ProbeResult> {
    const { region } = await this.#patiently(path, this.#open(path));
    const signatures = signaturesOf(region);
    return { signatures } as unknown as ProbeResult; // the only field that decisions rest on
  }

  async mapping(name: string): Promise<ActiveMapping | undefined> {
    this.#live();
    const { held } = this.#world;
    if (held !== undefined) throw new LuksError('ERR_LUKS_HELD', held, '', `${name} waits for ${held}`);
    const mapping = this.#world.mappings.get(name);
    if (mapping === undefined) return undefined;
    const below = this.#world.slot(mapping.device)?.region;
    return {
      name,
      path: `/dev/mapper/${name}`,
      device: mapping.device,
      cipher: 'aes-xts-plain64',
      keySizeBits: 512,
      sectorSize: 512,
      flags: [],
      uuid: below?.kind === 'luks' && below.uuid === mapping.uuid ? mapping.uuid : '',
      inUse: false,
    };
  }

  keyslots(path: string): KeyslotStore {
    return new FakeKeyslots({
      path,
      luks: () => this.#luks(path),
      change: (name, whole, torn) => this.#change(name, whole, torn),
    });
  }

  async keyContext(volumeId: string): Promise<KeyContext> {
    this.#live();
    return { machineUuid, volumeId, keyServer: this.#world.keyServer };
  }

  /** The header in words; the fake needs no bytes. */
  async backupHeader(path: string): Promise<Uint8Array> {
    const { uuid, keys, tokens } = await this.#luks(path);
    return Buffer.from(JSON.stringify({ uuid, keys: [...keys], tokens: [...tokens] }));
  }

  async openBackup(path: string, bytes: Uint8Array, options: BackupOptions): Promise<OpenedBackup> {
    const { keys, tokens } = await this.#backup(path, bytes, options);
    const saved = { ...(await this.#header(path)), keys: new Map(keys), tokens: new Map(tokens) };
    return {
      keyslots: new FakeKeyslots({ path: `backup of ${path}`, luks: async () => saved, change: refuse }),
      [Symbol.asyncDispose]: async () => {},
    };
  }

  async restoreHeader(path: string, bytes: Uint8Array, options: RestoreOptions): Promise<string> {
    const { uuid, keys, tokens } = await this.#backup(path, bytes, options);
    const { key } = options;
    if (key !== undefined && new Map(keys).get(key.slot) !== key.key.bytes.toString('hex'))
      throw new LuksError('ERR_LUKS_KEY_REJECTED', path, '', `no keyslot of the backup opens`);
    const place = await this.#open(path);
    const header = await this.#header(path);
    this.#change(`restore header of ${path}`, () => {
      place.region = header;
      header.keys.clear();
      header.tokens.clear();
      for (const [slot, hex] of keys) header.keys.set(slot, hex);
      for (const [id, json] of tokens) header.tokens.set(id, json);
    });
    return uuid;
  }

  async #backup(path: string, bytes: Uint8Array, { expectUuid }: BackupOptions): Promise<SavedHeader> {
    const saved = JSON.parse(Buffer.from(bytes).toString()) as SavedHeader;
    const { region } = await this.#open(path);
    const expected = expectUuid ?? (region.kind === 'luks' ? region.uuid : undefined);
    if (saved.uuid === expected) return saved;
    throw new LuksError('ERR_LUKS_BACKUP', path, '', `its UUID is ${saved.uuid}, not ${expected}`);
  }

  /** The header of a device, also one that was overwritten while it was open. */
  async #header(path: string): Promise<FakeLuks> {
    const { region } = await this.#open(path);
    const overwritten = this.#world.overwritten.get(path);
    return region.kind !== 'luks' && overwritten !== undefined ? overwritten : this.#luks(path);
  }

  async mounts(): Promise<readonly Mount[]> {
    this.#live();
    return [rootMount, ...this.#world.mounted];
  }

  async deviceNumber(path: string): Promise<string | undefined> {
    this.#live();
    return this.#world.slot(path) === undefined ? undefined : path;
  }

  async deviceSize(path: string): Promise<bigint | undefined> {
    this.#live();
    for (const { facts, table } of this.#world.disks) {
      if (facts.devPath === path) return facts.size;
      const partition = table?.partitions.find(({ devPath }) => devPath === path);
      if (partition !== undefined) return partition.size;
    }
    return undefined;
  }

  async growPartition(path: string, partitionGuid: string, sizeBytes: bigint): Promise<Partition> {
    const disk = await this.#answering(path);
    const { region } = disk.slot;
    const partition =
      region.kind === 'gpt' && region.partitions.find((one) => one.facts.partitionGuid === partitionGuid);
    if (!partition) throw new BlockError('ERR_BLOCK_NOT_FOUND', path, `no partition ${partitionGuid}`);
    const { offset, size, label } = partition.facts;
    const behind = disk.table?.free.find((free) => free.offset === offset + size);
    if (sizeBytes > size + (behind?.size ?? 0n))
      throw new BlockError('ERR_BLOCK_NO_SPACE', path, 'something is behind it');
    this.#change(`grow partition ${label}`, () => {
      if (sizeBytes < size) this.#world.violations.push(`${label} shrank`);
      partition.facts = { ...partition.facts, size: sizeBytes };
    });
    return partition.facts;
  }

  async growMapping(name: string): Promise<void> {
    this.#change(`grow mapping ${name}`, () => {
      if (!this.#world.mappings.has(name)) this.#world.violations.push(`${name} grew, and is not open`);
    });
  }

  async growFilesystem(path: string, { type, target }: GrowingFilesystem): Promise<void> {
    const { region } = await this.#open(path);
    if (this.#world.growsNothing) throw new BlockError('ERR_BLOCK_FAILED', path, 'the tool said no');
    this.#change(`grow ${type} on ${path}`, () => {
      const mounted = this.#world.mounted.some((mount) => mount.source === path && mount.target === target);
      if (region.kind !== 'filesystem' || region.type !== type || !mounted)
        this.#world.violations.push(`${path} grew as ${type}, and is not mounted on ${target}`);
    });
  }

  async createTable(path: string, meant: MeantDisk): Promise<void> {
    const { slot } = await this.#answering(path);
    this.#requireSequence(path, meant);
    this.#requireEmpty(path, slot);
    this.#change(`create table on ${path}`, () => (slot.region = { kind: 'gpt', partitions: [] }));
  }

  async addPartition(path: string, options: NewPartition): Promise<Partition> {
    const disk = await this.#answering(path);
    const { region } = disk.slot;
    if (region.kind !== 'gpt') throw new BlockError('ERR_BLOCK_FOREIGN_TABLE', path, 'no table');
    disk.hung ||= disk.hangsWhenChanged;
    await disk.slowChange;
    await this.#answering(path);
    this.#requireSequence(path, options);
    const facts = placePartition(disk, options);
    const place = { ...used(this.#world.oldData), mark: options.mark };
    const partition: FakePartition = { facts, slot: place };
    this.#change(`add ${options.label} to ${path}`, () => region.partitions.push(partition));
    return facts;
  }

  async setUnderConstruction(path: string, partitionGuid: string, value: boolean): Promise<void> {
    const { region } = (await this.#answering(path)).slot;
    const partition =
      region.kind === 'gpt' && region.partitions.find((one) => one.facts.partitionGuid === partitionGuid);
    if (!partition) throw new BlockError('ERR_BLOCK_NOT_FOUND', path, `no partition ${partitionGuid}`);
    this.#change(`set bit ${value} of ${partition.facts.label}`, () => {
      if (value && holdsData(partition.slot.region)) this.#world.violations.push('data marked as half-made');
      partition.facts = { ...partition.facts, underConstruction: value };
    });
  }

  async isMarked(path: string, mark: ConstructionMark): Promise<boolean> {
    return isSameMark((await this.#patiently(path, this.#open(path))).mark, mark);
  }

  async beginMaking(path: string, options: ConstructionOptions): Promise<void> {
    const place = await this.#open(path);
    this.#requireSequence(path, options);
    this.#requireEmpty(path, place);
    this.#change(`mark ${path}`, () => (place.mark = options.mark));
  }

  async restartMaking(path: string, options: ConstructionOptions): Promise<void> {
    const place = await this.#open(path);
    this.#requireSequence(path, options);
    if (!isSameMark(place.mark, options.mark))
      throw new BlockError('ERR_BLOCK_NOT_EMPTY', path, `${path} is not marked`);
    this.#overwrite(`wipe ${path}`, place);
  }

  async endMaking(path: string, options: ConstructionOptions): Promise<void> {
    const place = await this.#open(path);
    this.#requireSequence(path, options);
    this.#change(
      `unmark ${path}`,
      () => (place.mark = undefined),
      () => {}, // some copies of it are left
    );
  }

  async wipeMapping(path: string): Promise<void> {
    this.#overwrite(`wipe ${path}`, await this.#open(path));
  }

  #overwrite(name: string, place: Slot): void {
    this.#change(
      name,
      () => {
        this.#world.destroy(place, name);
        place.region = zero;
      },
      () => {
        this.#world.destroy(place, name);
        place.region = noise;
      },
    );
  }

  #requireSequence(path: string, { sequence }: MeantDisk): void {
    const disk = this.#world.disks.find(({ facts }) => path.startsWith(facts.devPath));
    if (sequence !== undefined && sequence !== disk?.facts.sequence)
      throw new BlockError('ERR_BLOCK_NOT_FOUND', path, `${path} is another disk`);
  }

  async wipeContent(path: string, options: WipeContentOptions): Promise<void> {
    const place = await this.#open(path);
    this.#requireSequence(path, options);
    if (this.#isMounted(path) || this.#world.swaps.has(path))
      throw new BlockError('ERR_BLOCK_BUSY', path, `${path} is in use`);
    this.#change(`wipe content of ${path}`, () => {
      place.region = zero;
      place.mark = undefined;
    });
  }

  /** In two steps, each of them durable; a process that dies has done what it was told to remember, or more. */
  async blank(path: string, options: BlankOptions): Promise<void> {
    const { fromBytes = 0n, method, onProgress, onDurable } = options;
    const place = await this.#open(path);
    this.#requireSequence(path, options);
    if (method === 'discard' && !this.#world.discardsToZeroes)
      throw new BlockError('ERR_BLOCK_NO_ZEROES', path, `${path}: no guarantee`);
    const size = (await this.deviceSize(path)) ?? 1000n << 20n;
    if (place.stale !== undefined && fromBytes > place.stale)
      this.#world.violations.push(`${path} is made blank from ${fromBytes} on, and is not so before`);
    for (const end of [size / 2n, size]) {
      if (end <= fromBytes) continue;
      await this.#clock.sleep(2000, options.signal);
      this.#change(`make ${path} blank up to ${end}`, () => {
        this.#world.destroy(place, `blanking of ${path}`);
        place.stale = end === size ? undefined : end;
      });
      onProgress?.(end, size);
      await onDurable?.(end);
    }
  }

  async removePartition(path: string, partitionGuid: string): Promise<void> {
    const { region } = (await this.#answering(path)).slot;
    if (region.kind !== 'gpt') throw new BlockError('ERR_BLOCK_NOT_FOUND', path, 'no table');
    const index = region.partitions.findIndex((one) => one.facts.partitionGuid === partitionGuid);
    this.#change(`remove partition of ${path}`, () => region.partitions.splice(index, 1));
  }

  async formatLuks(path: string, options: NewLuks): Promise<void> {
    const place = await this.#open(path);
    const { label = '', slot: keyslot = 0, key, uuid = this.#world.uuid() } = options;
    const make = (keys: Map<number, string>): FakeLuks => {
      this.#world.destroy(place, `luks format of ${path}`);
      return {
        kind: 'luks',
        uuid,
        label,
        keys,
        tokens: new Map(),
        flags: [],
        inner: used(noise),
      };
    };
    const hex = key.bytes.toString('hex');
    this.#change(
      `format luks on ${path}`,
      () => (place.region = make(new Map([[keyslot, hex]]))),
      () => (place.region = make(new Map())),
    );
  }

  async openLuks(path: string, options: OpenOptions): Promise<number> {
    const luks = await this.#luks(path);
    for (const { key, slot } of options.keys) {
      if (slot === undefined || luks.keys.get(slot) !== key.bytes.toString('hex')) continue;
      this.#change(`open ${options.name}`, () => {
        if (this.#world.mappings.has(options.name)) throw new LuksError('ERR_LUKS_BUSY', path, '', 'active');
        const mapping = { name: options.name, device: path, uuid: luks.uuid, slot: luks.inner };
        this.#world.mappings.set(options.name, mapping);
      });
      return slot;
    }
    throw new LuksError('ERR_LUKS_KEY_REJECTED', path, '', `no keyslot of ${path} opens`);
  }

  async closeLuks(name: string): Promise<void> {
    this.#live();
    const path = `/dev/mapper/${name}`;
    if (this.#world.swaps.has(path) || this.#world.mounted.some((mount) => mount.source === path))
      throw new LuksError('ERR_LUKS_BUSY', path, 'EBUSY', `${path} is mounted`);
    this.#change(`close ${name}`, () => this.#world.mappings.delete(name));
  }

  /** The kernel of the fake world knows every entry. */
  async announce(): Promise<void> {
    this.#live();
  }

  async keepFlags(path: string, flags: readonly string[]): Promise<void> {
    const luks = await this.#luks(path);
    const wanted = flags.toSorted();
    if (wanted.join() === luks.flags.join()) return;
    this.#change(
      `keep options in ${path}`,
      () => (luks.flags = wanted),
      () => {},
    );
  }

  async makeFilesystem(path: string, { type, label, uuid }: NewFilesystem): Promise<void> {
    const place = await this.#open(path);
    this.#requireEmpty(path, place);
    const make = (torn: boolean): void => {
      place.region = { kind: 'filesystem', type, label, uuid, torn, files: new Set() };
    };
    this.#change(
      `mkfs ${type} on ${path}`,
      () => make(false),
      () => make(true),
    );
  }

  async checkFilesystem(path: string, { type, refused, onProgress }: CheckedFilesystem) {
    const { region } = await this.#open(path);
    if (region.kind !== 'filesystem' || region.type !== type || this.#isMounted(path))
      this.#world.violations.push(`${path} checked as ${type}`);
    const damage = this.#world.damages.get(path);
    if (damage === undefined || (damage !== 'unclean' && !refused)) return undefined;
    onProgress('pass 1 of 5, 50 %');
    if (damage === 'lost')
      throw new BlockError('ERR_BLOCK_DAMAGED', path, 'can not be repaired', { reasons: ['no root'] });
    this.#change(`check ${type} on ${path}`, () => this.#world.damages.delete(path));
    return { result: damage === 'unclean' ? 'recovered' : 'repaired', durationMs: 3 } as const;
  }

  #isMounted(path: string): boolean {
    return this.#world.mounted.some((mount) => mount.source === path);
  }

  /** Somebody uses a filesystem from the moment it is there: it is data from then on. */
  async mount({ source, target, type, flags }: NewMount): Promise<void> {
    if (type === 'virtiofs') {
      this.#mountShare(source, target, flags);
      return;
    }
    const { region } = await this.#open(source);
    if (region.kind !== 'filesystem' || region.type !== type)
      throw new BlockError('ERR_BLOCK_FAILED', source, `no ${type}`);
    if (this.#world.damages.has(source) && this.#world.damages.get(source) !== 'unclean')
      throw new BlockError('ERR_BLOCK_DAMAGED', source, `EUCLEAN on ${source}`);
    this.#change(`mount ${target}`, () => {
      if (region.torn) this.#world.violations.push(`torn ${type} mounted on ${target}`);
      const first = this.#world.first.get(target) ?? region.uuid;
      if (first !== region.uuid)
        this.#world.violations.push(`${target} changed from ${first} to ${region.uuid}`);
      this.#world.first.set(target, first);
      region.files.add(target);
      this.#world.mounted.push(mountOf(source, target, type, flags));
    });
  }

  #mountShare(tag: string, target: string, flags: MountFlags): void {
    this.#live();
    if (!this.#world.shares.has(tag))
      throw new BlockError('ERR_BLOCK_FAILED', tag, `no share is called ${tag}`);
    this.#change(`mount ${target}`, () => {
      this.#world.mounted.push({ ...mountOf(tag, target, 'virtiofs', flags), deviceNumber: '0:40' });
    });
  }

  async bindDirectory({ target, flags }: NewBind): Promise<void> {
    this.#live();
    const below = this.#world.mounted.findLast((mount) => target.startsWith(`${mount.target}/`));
    const root = target.slice(below?.target.length ?? 0);
    this.#change(`bind ${target}`, () => {
      const mount = mountOf((below ?? rootMount).source, target, (below ?? rootMount).type, flags);
      this.#world.mounted.push({ ...mount, root });
    });
  }

  async hiddenData(directory: string): Promise<string | undefined> {
    this.#live();
    return this.#world.hidden.get(directory);
  }

  async hiddenLastingData(directory: string): Promise<string | undefined> {
    return this.#world.forgets ? undefined : this.hiddenData(directory);
  }

  async missingForFilesystem(type: FilesystemType): Promise<string | undefined> {
    return this.#world.missingFilesystems.get(type);
  }

  async enforcedAccessControl(): Promise<string | undefined> {
    return this.#world.accessControl;
  }

  async swaps(): Promise<readonly string[]> {
    this.#live();
    return [...this.#world.swaps];
  }

  async swapOn(path: string): Promise<void> {
    const { region } = await this.#open(path);
    if (region.kind !== 'filesystem' || region.type !== 'swap')
      throw new BlockError('ERR_BLOCK_FAILED', path, 'no swap signature');
    this.#change(`swap on ${path}`, () => {
      if (region.torn) this.#world.violations.push(`torn swap space taken into use on ${path}`);
      this.#world.swaps.add(path);
    });
  }

  async swapOff(path: string): Promise<void> {
    this.#live();
    this.#change(`swap off ${path}`, () => this.#world.swaps.delete(path));
  }

  async changeMount(target: string, flags: MountFlags): Promise<void> {
    this.#live();
    this.#change(`change mount ${target}`, () => {
      const index = this.#world.mounted.findIndex((mount) => mount.target === target);
      const mount = this.#world.mounted[index];
      if (mount !== undefined) this.#world.mounted[index] = { ...mount, options: optionsOf(flags) };
    });
  }

  async unmount(target: string): Promise<void> {
    this.#live();
    const inner = this.#world.mounted.find((mount) => mount.target.startsWith(`${target}/`));
    if (inner !== undefined) throw new BlockError('ERR_BLOCK_BUSY', target, `${inner.target} is below`);
    const index = this.#world.mounted.findIndex((mount) => mount.target === target);
    this.#change(`unmount ${target}`, () => this.#world.mounted.splice(index, 1));
  }

  async get(volumeId: string): Promise<IntentRecord | undefined> {
    this.#live();
    await this.#world.slowRecords;
    return this.#world.intents.get(volumeId);
  }

  async put(record: IntentRecord): Promise<void> {
    this.#live();
    this.#change(`record ${record.volumeId} ${record.phase}`, () =>
      this.#world.intents.set(record.volumeId, record),
    );
  }

  async remove(volumeId: string): Promise<void> {
    this.#live();
    this.#change(`forget ${volumeId}`, () => this.#world.intents.delete(volumeId));
  }

  /** An earlier process does nothing any more once a later one has been made. */
  #live(): void {
    this.#world.live();
    if (FakeEffects.#current.get(this.#world) !== this.#id) throw new Error('process is gone');
  }

  #change(name: string, whole: () => void, torn?: () => void): void {
    this.#live();
    this.#world.change(name, whole, torn);
  }

  /** Reads don't wait for ever, whenever it is that the disk begins to hang. */
  async #patiently<T>(path: string, reading: Promise<T>): Promise<T> {
    const answer = await within(this.#clock, deadlineMs, reading);
    if (answer !== undefined) return answer.value;
    throw new BlockError('ERR_BLOCK_UNRESPONSIVE', path, `${path}: no answer within ${deadlineMs} ms`);
  }

  async #answering(path: string): Promise<FakeDisk> {
    this.#live();
    const disk = this.#world.disk(path);
    await disk.answer();
    await Promise.resolve();
    this.#live();
    return disk;
  }

  async #open(path: string): Promise<Slot> {
    this.#live();
    const disk = this.#world.disks.find((one) => path.startsWith(one.facts.devPath));
    await disk?.answer();
    await Promise.resolve();
    const found = this.#world.slot(path);
    if (found === undefined) throw new BlockError('ERR_BLOCK_NOT_FOUND', path, `${path}: no such device`);
    return found;
  }

  async #luks(path: string): Promise<FakeLuks> {
    const { region } = await this.#open(path);
    if (region.kind !== 'luks') throw new LuksError('ERR_LUKS_NOT_LUKS', path, '', 'no header');
    return region;
  }

  #requireEmpty(path: string, place: Slot): void {
    if (place.region.kind === 'zero') return;
    const reasons = [describe(place)];
    throw new BlockError('ERR_BLOCK_NOT_EMPTY', path, `${path} is not empty`, { reasons });
  }
}

function isSameMark(one: ConstructionMark | undefined, other: ConstructionMark): boolean {
  return one?.nonce === other.nonce && one.volumeId === other.volumeId;
}

function refuse(name: string): never {
  throw new Error(`${name}: a backup is not changed`);
}

/** A proof without the receipts of real reads. */
function proofOf(device: string, found: readonly string[]): Emptiness {
  const receipt = {
    device,
    size: 0n,
    at: 0,
    tookMs: 0,
    limitMs: 1000,
    read: [],
    probedAt: [0n],
    backupsOf: [],
    map: { unknown: 'there is no map' },
    users: [],
    found,
    unproven: [],
    isLate: false,
  };
  return found.length === 0 ? { empty: true, receipt } : { empty: false, reasons: found, receipt };
}

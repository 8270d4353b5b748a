import type { Inventory } from '@nodecore/block';
import type { Configuration } from '@nodecore/config';
import { metaTag } from '@nodecore/meta';
import { codeOf } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';
import {
  fromConfiguration,
  type IntentStore,
  placeOf,
  type VolumeSpec,
  type VolumeStatus,
} from '@nodecore/volumes';

import { takeEmbedded } from './embedded-meta.ts';
import { beginReset, forgetWiped, performReset, resumeReset } from './pending-reset.ts';
import type { WipeNews } from './perform-reset.ts';
import type { ResetRecord } from './reset-record.ts';
import { PersistenceError } from './errors.ts';
import { firmwareUuid } from './machine-uuid.ts';
import { Meta } from './meta.ts';
import { StateDirectory } from './state-directory.ts';
import { decodeStateKeys, encodeStateKeys, type StateKeys } from './state-encryption.ts';
import { configuredKeys, settledKeys, triedKeys } from './state-key-change.ts';
import type { StateFinding, StateVolumeParts } from './state-volume-parts.ts';
import { findMeta } from './system-disk.ts';

const id = 'STATE';
const defaultTimeoutMs = 120_000;

/** The state of a node that owns its machine: META says how to open STATE, and STATE holds the rest. */
export class StateVolume implements IntentStore {
  readonly #parts: StateVolumeParts;
  #meta: Meta | undefined;
  #problem = new PersistenceError('ERR_STATE_NO_SYSTEM_DISK', 'the disks are still being looked at');
  #directory: Promise<StateDirectory> | undefined;

  constructor(parts: StateVolumeParts) {
    this.#parts = parts;
  }

  /** Undefined until the system disk was found. */
  get meta(): Meta | undefined {
    return this.#meta;
  }

  /** Why META can't be had, while it can't. */
  get problem(): PersistenceError {
    return this.#problem;
  }

  /**
   * Looks for the state of earlier days, and goes on when there is none yet: disks may be slow to appear. Yields each
   * time something new is known, and ends with `found`.
   */
  async *search(signal: AbortSignal): AsyncGenerator<StateFinding, void, undefined> {
    const { inventory, volumes, log, clock = systemClock, disks } = this.#parts;
    for await (const current of inventory.changes(signal)) {
      const problem = await this.#openMeta(current);
      if (problem === undefined) break;
      yield { kind: 'absent', reason: problem.message };
    }
    if (signal.aborted || this.#meta === undefined) return;
    const ending = await this.#parts.beforeState?.(this.#meta, inventory.value ?? { disks: [], volumes: [] });
    if (ending !== undefined) {
      yield { kind: 'locked', code: 'ERR_STATE_BOOT_ORDER', reason: ending };
      return;
    }
    const parts = { inventory, log, clock, signal, ...(disks && { effects: disks }) };
    for await (const problem of resumeReset(this.#meta, parts)) yield { kind: 'locked', ...problem };
    if (signal.aborted) return;
    volumes.start(await this.#machineUuid(this.#meta));
    if (volumes.statuses().length === 0) volumes.apply([this.#existing()]);
    for await (const status of volumes.follow(id, signal)) {
      if (status.phase === 'ready') {
        yield { kind: 'found', directory: await this.#open() };
        return;
      }
      const { errorCode: code } = status;
      if (status.phase === 'failed' && code !== undefined && isLocked(code))
        yield { kind: 'locked', code, reason: reasonOf(status) };
      else if (isSettled(status)) yield { kind: 'absent', reason: reasonOf(status) };
    }
  }

  /**
   * The place to persist in. For the first configuration STATE is made, as the configuration says, or taken over
   * when it is there; when that fails, what was wanted is withdrawn.
   */
  async prepare(configuration: Configuration): Promise<StateDirectory> {
    const meta = this.#meta;
    if (meta === undefined) throw this.#problem;
    const before = meta.get(metaTag.stateEncryption);
    const known = decodeStateKeys(before);
    const wanted = configuredKeys(known, configuration);
    if (this.#directory !== undefined) {
      await meta.set(metaTag.stateEncryption, encodeStateKeys(wanted));
      return this.#directory;
    }
    // Keys of a STATE that may still turn up stay the ones it is opened with, also after a power cut.
    const first = known.encryption === undefined ? wanted : triedKeys(known, configuration);
    await meta.set(metaTag.stateEncryption, encodeStateKeys(first));
    const { clock = systemClock, timeoutMs = defaultTimeoutMs } = this.#parts;
    const tooLate = new AbortController();
    const done = new AbortController();
    const timer = clock.sleep(timeoutMs, done.signal).then(
      () => tooLate.abort(),
      () => {}, // done in time
    );
    try {
      this.#parts.trust(wanted.roots);
      const { previousKeys } = wanted;
      // A STATE that is found only now may have another owner: the owner's keys open it, and those of this configuration
      // get into no keyslot of it. One that is made has its keys from the beginning.
      await this.#replace({ ...stateSpec(configuration), previousKeys, keepKeyslots: true }, tooLate.signal);
      await this.#ready(tooLate.signal);
      const directory = await this.#open();
      const isOurs = (await directory.readConfiguration()) === undefined;
      const kept = isEncrypted(configuration) ? wanted : settledKeys(configuration);
      await meta.set(metaTag.stateEncryption, isOurs ? encodeStateKeys(kept) : before);
      return directory;
    } catch (error) {
      await meta.set(metaTag.stateEncryption, before);
      this.#parts.volumes.apply([this.#existing()]);
      throw error;
    } finally {
      done.abort();
      await timer;
    }
  }

  /** Before a configuration goes on trial: its keys may be in the keyslots of STATE when the power is cut. */
  async prepareTrial(configuration: Configuration): Promise<void> {
    await this.#meta?.set(
      metaTag.stateEncryption,
      encodeStateKeys(triedKeys(this.#stateKeys(), configuration)),
    );
  }

  /** The keys of the persisted configuration are in their keyslots, and no others: META needs no more than them. */
  async settle(configuration: Configuration): Promise<void> {
    const isOpen = this.#parts.volumes.statuses().find((status) => status.id === id);
    if (!isEncrypted(configuration) && isOpen?.encryptionProvider !== undefined) return; // it is still there
    await this.#meta?.set(metaTag.stateEncryption, encodeStateKeys(settledKeys(configuration)));
  }

  /** From here on a reset is certain: a start after a crash completes it. Nothing of it may be in use. */
  async beginReset(record: ResetRecord, inventory: Inventory): Promise<void> {
    if (this.#meta === undefined) throw this.#problem;
    await beginReset(this.#meta, record, inventory, this.#parts.disks);
  }

  /** Wipes what the reset in META names. Nothing of it may be in use. */
  async performReset(inventory: Inventory, tell: (news: WipeNews) => void): Promise<void> {
    if (this.#meta !== undefined) await performReset(this.#meta, inventory, tell, this.#parts.disks);
  }

  async get(volumeId: string): ReturnType<IntentStore['get']> {
    return (await this.directory()).intents.get(volumeId);
  }

  async put(record: Parameters<IntentStore['put']>[0]): Promise<void> {
    await (await this.directory()).intents.put(record);
  }

  async remove(volumeId: string): Promise<void> {
    await (await this.directory()).intents.remove(volumeId);
  }

  /** @throws {PersistenceError} `ERR_STATE_NOT_READY` until STATE was found or made. */
  async directory(): Promise<StateDirectory> {
    if (this.#directory === undefined)
      throw new PersistenceError('ERR_STATE_NOT_READY', 'STATE is not mounted yet');
    return await this.#directory;
  }

  /** Only once STATE is mounted: before that, the directory would be made on what lies below, and be hidden by STATE. */
  async #open(): Promise<StateDirectory> {
    this.#directory ??= this.#openDirectory();
    try {
      return await this.#directory;
    } catch (error) {
      this.#directory = undefined; // the next caller tries again
      throw error;
    }
  }

  async #openDirectory(): Promise<StateDirectory> {
    const directory = await StateDirectory.open(this.#parts.target ?? placeOf(stateSpec(undefined)));
    await forgetWiped(this.#meta, directory);
    return directory;
  }

  /** @returns why it can't be opened; undefined when it is open. */
  async #openMeta(inventory: Inventory): Promise<PersistenceError | undefined> {
    try {
      const path = findMeta(inventory);
      this.#meta ??= await this.#opened(path);
      return undefined;
    } catch (error) {
      const { log } = this.#parts;
      this.#problem = error instanceof PersistenceError ? error : unreadable(error);
      log.warn({ code: this.#problem.code }, this.#problem.message);
      return this.#problem;
    }
  }

  async #opened(path: string): Promise<Meta> {
    const meta = await Meta.open(path);
    if (meta.damage !== undefined)
      this.#parts.log.error({ path }, `${meta.damage.message}; the node begins as if it had none`);
    await takeEmbedded(meta, this.#parts);
    return meta;
  }

  async #machineUuid(meta: Meta): Promise<string> {
    const override = meta.get(metaTag.machineUuid);
    if (override !== undefined) return Buffer.from(override).toString('utf8').trim().toLowerCase();
    // Without one, only volumes with a nodeID key fail, and they say so.
    return (await (this.#parts.firmwareUuid ?? firmwareUuid)()) ?? '';
  }

  /** STATE as META knows it: found or waited for, never made. */
  #existing(): VolumeSpec {
    const { encryption, previousKeys, roots } = this.#stateKeys();
    this.#parts.trust(roots);
    return { ...stateSpec(undefined), ...(encryption !== undefined && { encryption, previousKeys }) };
  }

  #stateKeys(): StateKeys {
    return decodeStateKeys(this.#meta?.get(metaTag.stateEncryption));
  }

  /** Begins anew, so that an old failure of STATE is not taken for the answer to this attempt. */
  async #replace(spec: VolumeSpec, signal: AbortSignal): Promise<void> {
    const { volumes } = this.#parts;
    if (volumes.statuses().some((status) => status.id === id)) {
      const following = volumes.follow(id, signal);
      await following.next(); // the present status: from here on none is missed
      volumes.apply([]);
      for await (const status of following) if (status.phase === 'closed') break;
    }
    volumes.apply([spec]);
  }

  async #ready(signal: AbortSignal): Promise<void> {
    let last: VolumeStatus | undefined;
    for await (const status of this.#parts.volumes.follow(id, signal)) {
      if (status.phase === 'ready') return;
      if (status.phase === 'failed' && status.permanence !== 'transient') {
        throw new PersistenceError('ERR_STATE_NOT_READY', `STATE: ${reasonOf(status)}`);
      }
      last = status;
    }
    const why = last === undefined ? 'no answer' : reasonOf(last);
    throw new PersistenceError('ERR_STATE_TIMEOUT', `STATE is not ready in time: ${why}`);
  }
}

function isEncrypted(configuration: Configuration): boolean {
  return configuration.systemVolume('STATE').encryption !== undefined;
}

function stateSpec(configuration: Configuration | undefined): VolumeSpec {
  const spec = fromConfiguration(configuration, { systemDisk: true }).find((each) => each.id === id);
  if (spec === undefined) throw new TypeError('a system disk without STATE');
  return spec;
}

/** Whether the volume has come to an answer, be it one that may change. */
function isSettled({ phase }: VolumeStatus): boolean {
  return phase === 'missing' || phase === 'failed';
}

/**
 * Whether STATE is there and only its keys or its header stand between us and what it holds. Maintenance would hand
 * such a node to the first caller.
 */
function isLocked(code: string): boolean {
  return (
    code.startsWith('ERR_VOLUME_KEYS') || code === 'ERR_VOLUME_ENCRYPTED' || code.startsWith('ERR_LUKS_')
  );
}

function reasonOf({ phase, errorMessage, reason }: VolumeStatus): string {
  return errorMessage ?? reason ?? `phase ${phase}`;
}

function unreadable(error: unknown): PersistenceError {
  const message = `META can't be read: ${codeOf(error) ?? 'no code'}`;
  return new PersistenceError('ERR_STATE_NOT_READY', message, { cause: error });
}

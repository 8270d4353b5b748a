import { join } from 'node:path';

import type { Configuration, Kvstore as KvstoreSettings } from '@nodecore/config';
import { fieldsOf, type Store } from '@nodecore/state';
import type { Supervisor } from '@nodecore/supervisor';
import type { Clock } from '@nodecore/waiting';

import { unattendedInstallId, unattendedInstallStatuses } from '../installs/definitions.ts';
import type { Log } from '../log.ts';
import { MountNeeds } from '../mounts/mount-needs.ts';
import { kindOf } from '../resources/definitions.ts';
import {
  kvstoreDefragmentations,
  kvstoreMembers,
  kvstoreSnapshots,
  kvstoreStatuses,
} from './kvstore-definitions.ts';
import { kvstoreMemberSpec, kvstoreStatusSpec } from './kvstore-spec.ts';
import { BegunMark } from './begun-mark.ts';
import { readPressure } from './defragmentation.ts';
import { Defragmentations } from './defragmentations.ts';
import { MemberError } from './errors.ts';
import { leaveIfMember } from './leave.ts';
import { Member } from './member.ts';
import { Snapshots } from './snapshots.ts';

export type KvstoreNodeParts = {
  readonly store: Store;
  readonly log: Log;
  readonly clock: Clock;
  readonly runDirectory: string;
  /** The services of the node. */
  readonly services: () => Promise<Supervisor>;
  /**
   * Of a host that is not ours; undefined on a machine of our own, where data is on EPHEMERAL unless the configuration names
   * another volume.
   */
  readonly stateDirectory: string | undefined;
  /** Where it is remembered that a node of type init has begun the kvstore. */
  readonly begunMark: () => Promise<string>;
};

const owner = 'kvstore';
const id = 'local';

/** The kvstore's member as the agent sees it: configuration in, requests for mounts and resources out. */
export class KvstoreNode {
  readonly member: Member;
  readonly #parts: KvstoreNodeParts;
  readonly #defragmentations: Defragmentations;
  readonly #snapshots: Snapshots;
  readonly #needs: MountNeeds;
  #settings: KvstoreSettings | undefined;
  #isTaken = false;
  #beginsItself = false;

  constructor(parts: KvstoreNodeParts) {
    const { log, clock, runDirectory, services } = parts;
    this.#parts = parts;
    this.#needs = new MountNeeds(parts.store, owner);
    this.member = new Member({
      log,
      clock,
      runDirectory,
      services,
      directory: async ({ volume }) => this.#place(volume, 'kvstore'),
      beginsItself: () => this.#beginsItself,
      begunMark: new BegunMark(parts.begunMark),
    });
    this.#defragmentations = new Defragmentations({
      log,
      clock,
      member: this.member,
      readPressure,
      publish: (spec) =>
        parts.store.replace(
          kindOf(kvstoreDefragmentations),
          new Map(spec === undefined ? [] : [[id, spec]]),
          owner,
        ),
    });
    this.#snapshots = new Snapshots({
      log,
      clock,
      member: this.member,
      directory: ({ volume, snapshots }) => this.#place(snapshots?.volume ?? volume, 'kvstore-snapshots'),
      publish: (specs) => parts.store.replace(kindOf(kvstoreSnapshots), specs, owner),
    });
  }

  /** Resolves when nothing of a former configuration is in use any more, so that its volume can be unmounted. */
  async configure({ machine }: Configuration): Promise<void> {
    const settings = machine?.type === 'controlplane' ? machine.cluster.kvstore : undefined;
    const beginsItself = machine?.beginsKvstore === true;
    const isNew = beginsItself !== this.#beginsItself;
    this.#beginsItself = beginsItself;
    this.#defragmentations.configure(settings);
    await this.#snapshots.configure(settings);
    await this.member.configure(settings);
    if (isNew) this.member.wake(); // the settings may be the same
    this.#settings = settings;
    this.#needs.state(this.#volumes());
  }

  /**
   * Leaves the cluster before its data goes: with one of these volumes, or because the node forgets its configuration.
   *
   * @throws {MemberError} `ERR_MEMBER_NOT_RUNNING`; @throws {KvstoreError} when the others can't do without it.
   */
  async leaveWith(volumes: ReadonlySet<string>): Promise<void> {
    if (volumes.has('STATE') || this.#volumes().some((id) => volumes.has(id)))
      await leaveIfMember(this.member);
  }

  /**
   * Does what only one may do at a time: a recovery, and what comes before and after it.
   *
   * @throws {MemberError} `ERR_MEMBER_BUSY`; `ERR_MEMBER_INIT`; `ERR_MEMBER_REBOOT`: what began now would be cut off.
   */
  async *alone<T>(work: () => AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    if (this.#isTaken)
      throw new MemberError('ERR_MEMBER_BUSY', 'somebody else bootstraps this node: wait for that to end');
    if (this.#beginsItself)
      throw new MemberError(
        'ERR_MEMBER_INIT',
        'this node has the type init: it begins the kvstore by itself, once; with type controlplane it waits for osctl bootstrap',
      );
    const install = { ...kindOf(unattendedInstallStatuses), id: unattendedInstallId };
    const status = this.#parts.store.get(install)?.spec;
    if (status !== undefined && fieldsOf(status)['phase'] === 'waitingForReboot')
      throw new MemberError(
        'ERR_MEMBER_REBOOT',
        'the machine is installed and waits for its reboot: bootstrap it when it is back',
      );
    this.#isTaken = true;
    try {
      yield* work();
    } finally {
      this.#isTaken = false;
    }
  }

  /** Keeps the member running, and its resources like it, until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    this.#needs.state(this.#volumes());
    const failed = new AbortController();
    const ending = AbortSignal.any([signal, failed.signal]);
    const parts = [
      this.member.run(ending),
      this.#snapshots.run(ending),
      this.#defragmentations.run(ending),
      this.#followMounts(ending),
      this.#publish(ending),
    ];
    await Promise.race(parts).catch(() => {}); // told below
    failed.abort();
    await Promise.allSettled(parts);
    this.#needs.state([]); // nothing of it runs any more
    await Promise.all(parts);
  }

  async #followMounts(signal: AbortSignal): Promise<void> {
    for await (const _ of this.#needs.changes(signal)) {
      for (const volumeId of this.#needs.leaving()) await this.#letGo(volumeId);
      this.member.wake();
    }
  }

  async #publish(signal: AbortSignal): Promise<void> {
    const { store } = this.#parts;
    for await (const state of this.member.follow(signal)) {
      const isMember = state.phase !== 'disabled';
      store.replace(kindOf(kvstoreMembers), new Map(isMember ? [[id, kvstoreMemberSpec(state)]] : []), owner);
      const { status } = state;
      store.replace(
        kindOf(kvstoreStatuses),
        new Map(status === undefined ? [] : [[id, kvstoreStatusSpec(status)]]),
        owner,
      );
    }
  }

  /** A directory of ours on a user volume, or where a node keeps what it has no volume for. */
  #place(volume: string | undefined, name: string): string | undefined {
    const { stateDirectory } = this.#parts;
    if (volume === undefined && stateDirectory !== undefined) return join(stateDirectory, name);
    const target = this.#needs.hold(volumeIdOf(volume));
    return target === undefined ? undefined : join(target, volume === undefined ? 'lib' : '', name);
  }

  /** Volumes that hold what is the kvstore's, or shall. */
  #volumes(): readonly string[] {
    const settings = this.#settings;
    if (settings === undefined) return [];
    const { volume, snapshots } = settings;
    const names = snapshots === undefined ? [volume] : [volume, snapshots.volume ?? volume];
    const { stateDirectory } = this.#parts;
    return names
      .filter((name) => name !== undefined || stateDirectory === undefined)
      .map((name) => volumeIdOf(name));
  }

  /** A volume is to go: whatever of ours is on it ends first. */
  async #letGo(volumeId: string): Promise<void> {
    await this.#snapshots.interrupt(async () => {
      await this.member.interrupt(async () => this.#needs.release(volumeId));
    });
  }
}

/** Where a member that is told of no volume keeps its data is the node's own. */
function volumeIdOf(volume: string | undefined): string {
  return volume === undefined ? 'EPHEMERAL' : `u-${volume}`;
}

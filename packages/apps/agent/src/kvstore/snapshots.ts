import { basename, dirname } from 'node:path';

import type { Kvstore as KvstoreSettings } from '@nodecore/config';
import {
  type CataloguedSnapshot,
  isKvstoreError,
  listCatalogue,
  rehearseRestore,
  removeRehearsals,
  saveSnapshot,
  type ScheduledSnapshot,
  type SnapshotInfo,
  snapshotOnSchedule,
} from '@nodecore/kvstore';
import type { Json } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import { type Clock, Serial } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import { kvstoreSnapshotSpec } from './kvstore-spec.ts';
import type { Member } from './member.ts';
import { etcdutlBeside } from './recover.ts';
import { Rehearsals } from './rehearsals.ts';

export type SnapshotsParts = {
  readonly log: Log;
  readonly clock: Clock;
  readonly member: Member;
  /** Where they go; undefined while it is not mounted. */
  readonly directory: (settings: KvstoreSettings) => string | undefined;
  /** Tells which there are, by their names. */
  readonly publish: (specs: ReadonlyMap<string, Json>) => void;
};

/** A volume may be mounted by then, and a disk have room again. */
const retryMs = 30_000;

/** Snapshots of this node's own member, as often as the configuration says. */
export class Snapshots {
  readonly #parts: SnapshotsParts;
  readonly #turn = new Serial();
  /** What was proven when it was taken, by file; of those from before the agent began nothing is known but their size. */
  readonly #infos = new Map<string, SnapshotInfo>();
  readonly #rehearsals: Rehearsals;
  #settings: KvstoreSettings | undefined;
  #change = new AbortController();

  constructor(parts: SnapshotsParts) {
    this.#parts = parts;
    const { log, clock, member } = parts;
    this.#rehearsals = new Rehearsals({
      log,
      clock,
      // On the disk of the snapshots: it has room for one more, or that is told.
      rehearse: async (file, signal) =>
        await rehearseRestore({
          file,
          directory: dirname(file),
          etcd: member.program,
          etcdutl: await etcdutlBeside(member.program),
          signal,
        }),
    });
  }

  /** Resolves when nothing is written where former settings had them any more. */
  async configure(settings: KvstoreSettings | undefined): Promise<void> {
    if (wishesOf(settings) === wishesOf(this.#settings)) {
      this.#settings = settings;
      return;
    }
    this.#settings = settings;
    this.#change.abort();
    await this.#turn.run(() => {});
  }

  /** Stops taking them, does the work alone, and goes on from what is there then. */
  async interrupt(work: () => Promise<void>): Promise<void> {
    this.#change.abort();
    await this.#turn.run(work);
  }

  /** Takes them until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#change = new AbortController();
      const ending = AbortSignal.any([signal, this.#change.signal]);
      await this.#turn.run(() => this.#follow(ending));
      await this.#parts.clock.sleep(retryMs, ending).catch(() => {}); // the loop asks the signal
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { log, clock, publish, directory: place } = this.#parts;
    const settings = this.#settings;
    if (settings?.snapshots === undefined) {
      publish(new Map());
      return;
    }
    const directory = place(settings);
    if (directory === undefined || signal.aborted) return;
    const { intervalMs, keep, rehearseMs } = settings.snapshots;
    const save = (file: string): Promise<SnapshotInfo> => this.#save(file, signal);
    const schedule = { directory, intervalMs, retention: { last: keep }, save, clock, signal };
    try {
      await removeRehearsals(directory).catch(() => {}); // made by the first one
      await this.#list(directory).catch(() => {});
      for await (const taken of snapshotOnSchedule(schedule)) {
        this.#note(taken);
        await this.#list(directory);
        if (isKvstoreError(taken.outcome)) continue;
        await this.#rehearsals.follow(taken.file, rehearseMs, signal);
        await this.#list(directory);
      }
    } catch (error) {
      if (!signal.aborted) log.warn({ code: codeOf(error), err: error }, 'snapshots can not be taken');
    }
  }

  /** Of a member that is up: one that waits to be bootstrapped has nothing to save, and that is no failure. */
  async #save(file: string, signal: AbortSignal): Promise<SnapshotInfo> {
    const { member } = this.#parts;
    for await (const { phase } of member.follow(signal)) if (phase === 'running') break;
    signal.throwIfAborted();
    const { kvstore } = member;
    return await saveSnapshot(kvstore, { file, endpoint: kvstore.endpoints[0], signal });
  }

  #note({ file, outcome, removed }: ScheduledSnapshot): void {
    const { log } = this.#parts;
    for (const gone of removed) this.#infos.delete(gone);
    if (isKvstoreError(outcome)) {
      log.warn({ code: outcome.code, err: outcome }, 'a snapshot of the kvstore failed');
      return;
    }
    this.#infos.set(file, outcome);
    const { fileBytes, revision } = outcome;
    const facts = { file, bytes: `${fileBytes}`, revision: `${revision}`, removed: removed.length };
    log.info(facts, 'a snapshot of the kvstore was taken');
  }

  async #list(directory: string): Promise<void> {
    const found = await listCatalogue(directory);
    const newest = found.at(-1);
    const spec = (each: CataloguedSnapshot): Json => {
      const rehearsal = each === newest ? this.#rehearsals.state : undefined;
      return kvstoreSnapshotSpec(each, this.#infos.get(each.file), rehearsal);
    };
    this.#parts.publish(new Map(found.map((each) => [basename(each.file), spec(each)])));
  }
}

/** What a change of matters here. */
function wishesOf(settings: KvstoreSettings | undefined): string {
  return JSON.stringify([settings?.snapshots, settings?.volume]);
}

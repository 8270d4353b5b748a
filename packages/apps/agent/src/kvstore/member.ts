import { hostname } from 'node:os';
import { join as joinPath } from 'node:path';

import type { Kvstore as KvstoreSettings } from '@nodecore/config';
import type { Kvstore } from '@nodecore/kvstore';
import type { Service, Supervisor } from '@nodecore/supervisor';
import { codeOf } from '@nodecore/sys';
import { Backoff, type Clock, Latest, Serial } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import { addressesOf, clientPort, memberAddresses, ownAddresses, peerPort, urlOf } from './addresses.ts';
import type { BegunMark } from './begun-mark.ts';
import { DataDirectories } from './data-directories.ts';
import type { DataDirectory } from './data-directory.ts';
import { MemberError } from './errors.ts';
import { etcdVersion } from './etcd-process.ts';
import { beginningOf, whyNotBegun } from './first-beginning.ts';
import { memberSocket } from './member-socket.ts';
import { restAfter } from './rest-after.ts';
import { runMember } from './run-member.ts';
import { isSame, waitsForVolume } from './member-settings.ts';
import { rememberPeers, isRemovedFromCluster } from './peer-memory.ts';
import { kvstoreService, type MemberState } from './member-state.ts';

export type MemberParts = {
  readonly log: Log;
  readonly clock: Clock;
  /** For what does not outlive the boot. */
  readonly runDirectory: string;
  /** The services of the node, of which the member is one. */
  readonly services: () => Promise<Supervisor>;
  /** Where the data of a member with these settings lies; undefined while it is not mounted. */
  readonly directory: (settings: KvstoreSettings) => Promise<string | undefined>;
  /** Whether the node begins a new kvstore without being asked, once. */
  readonly beginsItself: () => boolean;
  readonly begunMark: BegunMark;
};

/** A failure after this long is a new one, not the next of a row. */
const steadyMs = 60_000;
/** What is waited for wakes it, unless it comes from outside, as an address does. */
const waitingMs = 30_000;

/**
 * This node's member of the kvstore: etcd as a child that is started when its volume is mounted and it has data or a
 * way to get some, watched, and started again when it ends.
 */
export class Member {
  readonly #parts: MemberParts;
  readonly #turn = new Serial();
  readonly #states = new Latest<MemberState>();
  readonly #backoff = new Backoff({ firstMs: 500, largestMs: 30_000 });
  readonly #directories = new DataDirectories();
  #settings: KvstoreSettings | undefined;
  #life = new AbortController();
  #kvstore: Kvstore | undefined;
  #service: Service | undefined;
  #resting = new AbortController();
  #busy = 0;
  #peers: readonly string[] = [];

  constructor(parts: MemberParts) {
    this.#parts = parts;
    this.#states.set({ phase: 'disabled', restarts: 0 });
  }

  get state(): MemberState {
    return this.#states.value ?? { phase: 'disabled', restarts: 0 };
  }

  /** The present state, and each newer one. Ends when the signal fires. */
  follow(signal?: AbortSignal): AsyncGenerator<MemberState, void, undefined> {
    return this.#states.changes(signal);
  }

  /**
   * The connection to the member. It belongs to the member and is good for one call.
   *
   * @throws {MemberError} `ERR_MEMBER_NOT_CONFIGURED`, `ERR_MEMBER_NOT_RUNNING`
   */
  get kvstore(): Kvstore {
    if (this.#kvstore !== undefined && this.state.phase === 'running') return this.#kvstore;
    this.#configured();
    const { phase, reason } = this.state;
    const why = reason === undefined ? phase : `${phase}: ${reason}`;
    throw new MemberError('ERR_MEMBER_NOT_RUNNING', `the member of the kvstore is not up, it is ${why}`);
  }

  /** Takes settings into force; undefined: no member. Resolves when nothing of the former ones is in use any more. */
  async configure(settings: KvstoreSettings | undefined): Promise<void> {
    // A node that was taken out of the kvstore and is put back may join again.
    if (settings === undefined && this.#settings !== undefined)
      await (await this.#directoryOf(this.#settings))?.forgetLeaving();
    if (isSame(this.#settings, settings)) {
      this.#settings = settings; // the key of the former belongs to a configuration that ends
      return;
    }
    await this.#change(async () => {
      const former = this.#settings;
      this.#settings = settings;
      this.#backoff.reset();
      this.#publish(
        settings === undefined ? { phase: 'disabled' } : { phase: 'waiting', reason: 'it begins' },
      );
      // What an agent before this one has left is looked at when the new settings are in force, and may go on.
      if (former !== undefined) await this.#endLeft({ forget: settings === undefined });
    });
  }

  /** Looks again at what it waits for, as when a volume was mounted. */
  wake(): void {
    this.#resting.abort();
  }

  /** Stops the member, does the work alone, and lets it go on from what it finds then. */
  async interrupt<T>(work: () => Promise<T>): Promise<T> {
    return await this.#change(async () => {
      await this.#endLeft();
      return await work();
    });
  }

  async #change<T>(work: () => Promise<T>): Promise<T> {
    this.#life.abort();
    try {
      return await this.#turn.run(async () => {
        this.#publish({ phase: 'waiting', reason: 'it begins' });
        return await work();
      });
    } finally {
      this.wake();
    }
  }

  /** While `work` runs a member that does not answer is not called unhealthy. */
  async whileBusy<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1;
    try {
      return await work();
    } finally {
      this.#busy -= 1;
    }
  }

  /** Has left the cluster: stops for good, and throws its data away. */
  async abandon(): Promise<void> {
    const directory = await this.directory();
    await this.interrupt(() => directory.abandon());
  }

  /**
   * Where the data is.
   *
   * @throws {MemberError} `ERR_MEMBER_NOT_CONFIGURED`, `ERR_MEMBER_NOT_RUNNING` while the volume is not mounted.
   */
  async directory(): Promise<DataDirectory> {
    const settings = this.#configured();
    const directory = await this.#directoryOf(settings);
    if (directory !== undefined) return directory;
    throw new MemberError(
      'ERR_MEMBER_NOT_RUNNING',
      `${waitsForVolume(settings)}: see osctl get volumestatus`,
    );
  }

  /** Where a member that runs answers this node without TLS, if it has been begun so. */
  get socket(): string | undefined {
    return memberSocket(this.#runDirectory);
  }

  get #runDirectory(): string {
    return joinPath(this.#parts.runDirectory, 'kvstore');
  }

  /** The path of etcd, or its name in the path. */
  get program(): string {
    return this.#configured().program ?? 'etcd';
  }

  /**
   * What it is to others, whether it runs or not.
   *
   * @throws {MemberError} `ERR_MEMBER_NOT_CONFIGURED`, `ERR_MEMBER_ADDRESS`
   */
  self(): { readonly name: string; readonly clientUrl: string; readonly peerUrl: string } {
    const { advertised } = memberAddresses(ownAddresses(), this.#configured());
    const [clientUrl, peerUrl] = [urlOf(advertised, clientPort), urlOf(advertised, peerPort)];
    return { name: hostname(), clientUrl, peerUrl };
  }

  /** Keeps the member running until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#life = new AbortController();
      this.#resting = new AbortController();
      const ending = AbortSignal.any([signal, this.#life.signal]);
      const restMs = await this.#turn.run(() => this.#live(ending));
      const waking = AbortSignal.any([signal, this.#resting.signal, this.#life.signal]);
      await this.#parts.clock.sleep(restMs, waking).catch(() => {}); // something else came first
    }
    this.#publish({ phase: 'waiting', reason: 'the agent ends' });
  }

  /** One life of the member, from what is there now. @returns how long to rest before the next. */
  async #live(signal: AbortSignal): Promise<number> {
    const { clock } = this.#parts;
    const started = clock.now();
    try {
      const waiting = await this.#begin(signal);
      if (waiting !== undefined) {
        if (waiting.phase === 'waiting' && this.state.reason !== waiting.reason)
          this.#parts.log.info({ reason: waiting.reason }, 'the member of the kvstore waits');
        this.#publish(waiting);
        return waitingMs;
      }
    } catch (error) {
      if (signal.aborted) return 0;
      const code = codeOf(error) ?? 'none';
      const message = error instanceof Error ? error.message : String(error);
      this.#parts.log.error({ code, err: error }, 'the member of the kvstore failed');
      this.#publish({ phase: 'failed', code, reason: message });
      if (clock.now() - started <= steadyMs) return restAfter(code, this.#backoff);
    }
    if (signal.aborted) return 0;
    if (clock.now() - started > steadyMs) this.#backoff.reset();
    return this.#backoff.next();
  }

  /** @returns what it waits for; undefined when a life is over. */
  async #begin(signal: AbortSignal): Promise<Waiting | undefined> {
    const { log, clock } = this.#parts;
    const settings = this.#settings;
    this.#peers = [];
    if (settings === undefined) return { phase: 'disabled' };
    const directory = await this.#directoryOf(settings);
    if (directory === undefined) return { phase: 'waiting', reason: waitsForVolume(settings) };
    this.#peers = addressesOf((await directory.known())?.others ?? []);
    const services = await this.#parts.services();
    const service = this.#claimed(services);
    // A recovery may have failed half way since the last life; one that was going on had ended etcd before.
    if (!(await service.find())) await directory.resume();
    const hasData = await directory.hasData();
    const beginner = { settings, directory, self: () => this.self(), log };
    const { beginsItself, begunMark } = this.#parts;
    const notBegun = await whyNotBegun(beginner, { hasData, beginsItself: beginsItself(), begunMark });
    if (notBegun !== undefined) return { phase: 'waiting', ...notBegun };
    const { program } = this;
    const version = await etcdVersion(program);
    const tellJoining = (): void =>
      this.#publish({ ...this.self(), phase: 'joining', directory: directory.path });
    const beginning = hasData ? undefined : await beginningOf(beginner, tellJoining, signal);
    const addresses = memberAddresses(ownAddresses(), settings);
    const facts = { ...this.self(), directory: directory.path, version: version.text };
    const end = await runMember(
      {
        version,
        name: facts.name,
        dataDirectory: directory.data,
        addresses,
        ...(beginning !== undefined && { beginning }),
        extraArgs: settings.extraArgs,
        program,
        service,
        settings: () => this.#settings ?? settings,
        runDirectory: this.#runDirectory,
        log,
        clock,
        tell: (known) => this.#publish({ ...facts, ...known }),
        use: (kvstore) => (this.#kvstore = kvstore),
        healthy: () => directory.settle(),
        looked: async (kvstore, status, looking) => {
          const now = this.#settings ?? settings;
          this.#know(await rememberPeers({ kvstore, status, directory, settings: now, log }, looking));
        },
        isBusy: () => this.#busy > 0,
      },
      signal,
    );
    if (signal.aborted) return undefined;
    const reason = `etcd ended with ${end.code ?? 'a signal'}: ${end.message}`;
    log.warn({ code: end.code }, 'etcd ended by itself');
    if (await isRemovedFromCluster(directory, settings, signal)) {
      const next = 'the others have removed it: osctl kvstore leave takes its data away';
      this.#publish({ ...facts, phase: 'removed', reason: next }, 1);
      return undefined;
    }
    // What the members that took it in have told it is not so any more: it asks again.
    if (beginning?.state === 'existing' && !(await directory.hasData())) await directory.forgetBeginning();
    this.#publish({ ...facts, phase: 'failed', reason, code: 'ERR_MEMBER_PROGRAM' }, 1);
    return undefined;
  }

  #claimed(services: Supervisor): Service {
    return (this.#service = services.claim(kvstoreService, {
      restart: () => this.interrupt(async () => {}),
    }));
  }

  /** Ends an etcd that an agent before this one has left, and that this one has not looked at yet. */
  async #endLeft({ forget = false } = {}): Promise<void> {
    try {
      const services = await this.#parts.services();
      await this.#claimed(services).stop();
      if (forget) await services.withdraw(kvstoreService);
    } catch (error) {
      if (codeOf(error) !== 'ERR_SERVICE_PROGRAM') throw error; // without a keeper there is none
    }
  }

  async #directoryOf(settings: KvstoreSettings): Promise<DataDirectory | undefined> {
    return await this.#directories.at(await this.#parts.directory(settings));
  }

  #configured(): KvstoreSettings {
    if (this.#settings !== undefined) return this.#settings;
    throw new MemberError(
      'ERR_MEMBER_NOT_CONFIGURED',
      'the configuration makes this node no member of the kvstore: add cluster.kvstore, see osctl gen',
    );
  }

  #know(others: readonly string[] | undefined): void {
    const peers = addressesOf(others ?? []);
    if (others === undefined || String(peers) === String(this.#peers)) return;
    this.#peers = peers;
    this.#states.set({ ...this.state, peers });
  }

  #publish(known: Omit<MemberState, 'restarts' | 'peers'>, ended = 0): void {
    this.#states.set({ ...known, peers: this.#peers, restarts: this.state.restarts + ended });
    const { phase, reason = phase } = known;
    if (phase === 'waiting' || phase === 'joining') this.#service?.enter('Waiting', reason);
    if (phase === 'removed') this.#service?.enter('Failed', reason);
  }
}

type Waiting =
  | { readonly phase: 'disabled' }
  | { readonly phase: 'waiting'; readonly reason: string; readonly idle?: boolean };

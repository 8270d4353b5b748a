import { parseJoinUrl } from '@nodecore/fleet-api/join';
import {
  dial,
  type LinkState,
  machineId,
  type MachineFacts,
  nodeApiTarget,
  type ProvisionAnswer,
  publicKeyOf,
} from '@nodecore/fleet-link';
import type { Json } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import { type Clock, Latest, Signal } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import type { ApiServer } from '../server/server.ts';
import type { IdentityPlace } from './identity-place.ts';
import type { PlaceForNow } from './identity-places.ts';
import { keepIdentity, type KeptIdentity, openIdentity } from './identity-store.ts';

export type LinkParts = {
  readonly log: Log;
  readonly clock: Clock;
  readonly server: Pick<ApiServer, 'inject' | 'trustOnLink'>;
  readonly facts: () => Promise<MachineFacts>;
  /** Fires when the facts may be others. */
  readonly factsChanged: (signal: AbortSignal) => AsyncIterable<unknown>;
  readonly lines: (signal: AbortSignal) => AsyncIterable<string>;
};

/** Keeps the node linked to the fleet that its configuration names, or its boot medium. */
export class Link {
  readonly #parts: LinkParts;
  readonly #changed = new Signal();
  readonly #statuses = new Latest<Json | undefined>();
  #url: string | undefined;
  #identity: KeptIdentity | undefined;
  /** What changes the identity does so one after the other: a certificate that comes while it moves is neither lost nor left behind. */
  #changing: Promise<unknown> = Promise.resolve();
  /** Where it is kept. */
  #place: IdentityPlace | undefined;

  constructor(parts: LinkParts) {
    this.#parts = parts;
  }

  /** Where the fleet is, from now on; undefined: nowhere. A standing link to the same place stays. */
  use(url: string | undefined): void {
    if (url === this.#url) return;
    this.#url = url;
    this.#changed.notify();
  }

  /** How it stands, as the spec of `LinkStatuses`; undefined where the node has no fleet. */
  get status(): Json | undefined {
    return this.#statuses.value;
  }

  /** Yields when {@link status} is another one, until the signal fires. */
  statusChanges(signal: AbortSignal): AsyncIterable<unknown> {
    return this.#statuses.changes(signal);
  }

  /** Says why nothing dials, where something should. */
  wait(reason: string): void {
    const fleet = this.#fleet;
    if (fleet === undefined) return;
    this.#statuses.set({ connected: false, state: 'waiting', fleet, reason });
    this.#parts.log.warn({ fleet, reason }, 'link');
  }

  /**
   * Dials until the signal fires, as the machine whose identity is in this place.
   *
   * @throws {Error} when the identity is there and can't be had.
   */
  async run(place: IdentityPlace, signal: AbortSignal): Promise<void> {
    this.#place = place;
    let isKnown = false;
    while (!signal.aborted) {
      this.#changed.clear();
      if (this.#url !== undefined && !isKnown) await this.#alone(() => this.#become(this.#place ?? place));
      isKnown ||= this.#url !== undefined;
      const replaced = new AbortController();
      const dialling = this.#dial(this.#url, AbortSignal.any([signal, replaced.signal]));
      try {
        await this.#changed.wait(signal).catch(() => {}); // the signal has fired
      } finally {
        replaced.abort();
        await dialling;
      }
    }
  }

  /**
   * As {@link run}, in one place after the other. An identity that moves takes what dials along: who installs the node over the link
   * has the answer on it.
   */
  async runIn(places: AsyncIterable<Pick<PlaceForNow, 'place'>>, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const until = AbortSignal.any([signal, over.signal]);
    const iterator = places[Symbol.asyncIterator]();
    let running: Promise<void> | undefined;
    try {
      for (;;) {
        // Who dials may fail before there is another place.
        const next =
          running === undefined ? iterator.next() : Promise.race([iterator.next(), ended(running)]);
        const { done, value } = await next;
        if (done === true) break;
        if (running === undefined) running = this.run(value.place, until);
        else await this.#move(value.place);
      }
      await running;
    } finally {
      over.abort();
      void iterator.return?.();
      await running?.catch(() => {}); // its failure is thrown above
    }
  }

  async #move(place: IdentityPlace): Promise<void> {
    await this.#alone(async () => {
      this.#place = place;
      if (this.#identity !== undefined) await this.#become(place);
    });
  }

  #alone(work: () => Promise<void>): Promise<void> {
    const done = this.#changing.then(work);
    this.#changing = done.catch(() => {}); // who asked for it hears of it
    return done;
  }

  /** Overwrites the key, when nothing dials any more. */
  [Symbol.dispose](): void {
    this.#identity?.key[Symbol.dispose]();
  }

  async #become(place: IdentityPlace): Promise<void> {
    const { server, log } = this.#parts;
    try {
      const identity = await openIdentity(place);
      this.#identity?.key[Symbol.dispose]();
      this.#identity = identity;
      server.trustOnLink(identity.fleetCA);
      const { protection } = identity;
      if ('plain' in protection)
        log.warn({ reason: protection.plain }, 'the key of the machine on the link is not sealed');
    } catch (error) {
      this.wait(`the identity of this machine can not be had: ${messageOf(error)}`);
      throw error;
    }
  }

  get #fleet(): string | undefined {
    if (this.#url === undefined) return undefined;
    try {
      const { host, port } = parseJoinUrl(this.#url);
      return `${host}:${port}`;
    } catch {
      return ''; // who dials says what is wrong with it
    }
  }

  async #dial(text: string | undefined, signal: AbortSignal): Promise<void> {
    const { log, clock, server, facts, lines } = this.#parts;
    if (text === undefined) {
      this.#statuses.set(undefined);
      return;
    }
    try {
      const url = parseJoinUrl(text);
      const fleet = `${url.host}:${url.port}`;
      await dial({
        url,
        identity: () => this.#known(),
        clock,
        signal,
        handlers: {
          facts,
          answered: (answer) => this.#alone(() => this.#answered(answer)),
          targets: new Map([[nodeApiTarget, (stream) => server.inject(stream)]]),
          events: (ended) => this.#events(ended),
          logs: lines,
          changed: (state) => this.#publish(fleet, state),
        },
      });
    } catch (error) {
      log.error({ code: codeOf(error), err: error }, 'the link to the fleet can not be kept');
    }
  }

  async #answered(answer: ProvisionAnswer): Promise<void> {
    const { log, server } = this.#parts;
    if (answer.state !== 'accepted') return;
    const { certificate, fleetCA } = answer;
    const next = { ...this.#known(), certificate, fleetCA };
    server.trustOnLink(fleetCA);
    if (this.#place !== undefined) await keepIdentity(this.#place, next);
    this.#identity = next;
    log.info({ machine: machineId(publicKeyOf(next)) }, 'the fleet knows this machine');
  }

  async *#events(signal: AbortSignal): AsyncGenerator<object, void, undefined> {
    const { facts, factsChanged } = this.#parts;
    let before = '';
    for await (const _change of factsChanged(signal)) {
      const now = await facts();
      if (JSON.stringify(now) === before) continue;
      before = JSON.stringify(now);
      yield { type: 'machine', ...now };
    }
  }

  #publish(fleet: string, state: LinkState): void {
    const { log } = this.#parts;
    const reason = 'reason' in state ? state.reason : undefined;
    const connected = state.state === 'accepted' || state.state === 'pending' || state.state === 'connected';
    const machine = machineId(publicKeyOf(this.#known()));
    const spec: Json = {
      connected,
      state: state.state,
      fleet,
      machine,
      ...(reason !== undefined && { reason }),
      ...keyOf(this.#known()),
    };
    this.#statuses.set(spec);
    const level = state.state === 'waiting' || state.state === 'denied' ? 'warn' : 'info';
    log[level]({ fleet, ...state }, 'link');
  }

  #known(): KeptIdentity {
    if (this.#identity === undefined) throw new TypeError('the link has no identity yet');
    return this.#identity;
  }
}

async function ended(running: Promise<void>): Promise<IteratorReturnResult<undefined>> {
  await running;
  return { done: true, value: undefined };
}

/** How the key of the machine is kept, and where it could be better, why it is not. */
function keyOf({ protection }: KeptIdentity): { readonly key: string; readonly keyReason?: string } {
  return 'sealed' in protection ? { key: 'sealed' } : { key: 'plain', keyReason: protection.plain };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

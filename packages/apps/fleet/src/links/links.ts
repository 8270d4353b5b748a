import type { TLSSocket } from 'node:tls';

import { FleetSession, type MachineFacts, type Provision, readFacts } from '@nodecore/fleet-link';
import { signNodeCSR } from '@nodecore/pki';
import { codeOf } from '@nodecore/sys';
import { KeyedLock } from '@nodecore/waiting';

import type { Fleet } from '../feature.ts';
import type { MachineLogs } from '../logs/machine-logs.ts';
import type { MachineRecords } from '../machines/machine-records.ts';
import { checkJoinToken, type TokenVerdict } from '../tokens/join-token.ts';
import type { LinkAuthorities } from './authorities.ts';

/** A machine whose link stands. */
export type LinkedMachine = {
  readonly id: string;
  readonly session: FleetSession;
  /** What it said of itself last. */
  facts: MachineFacts;
};

export type LinksParts = {
  readonly fleet: Pick<Fleet, 'state' | 'log' | 'clock'>;
  readonly authorities: LinkAuthorities;
  readonly records: MachineRecords;
  readonly logs: MachineLogs;
};

/** Of a machine's certificate; half of it is over when it is made again. */
const certificateMs = 7 * 86_400_000;
/** How soon a machine that may not join asks again, in seconds. */
const retryAfter = 30;
/** Connections that have not shown who they are. */
const maxUnknown = 512;

const reasons: Readonly<Record<Exclude<TokenVerdict, 'valid'>, string>> = {
  unknown: 'the join token is not known here',
  revoked: 'the join token is revoked',
  expired: 'the join token has expired',
};

/** The links that stand. Who a machine is follows from its key; that it may come, from a link it has already or from a join token. */
export class Links {
  readonly #parts: LinksParts;
  readonly #machines = new Map<string, LinkedMachine>();
  readonly #turns = new KeyedLock();
  #unknown = 0;
  #closed = false;

  constructor(parts: LinksParts) {
    this.#parts = parts;
  }

  /** Takes a connection of the link's protocol, and serves it until it ends. */
  accept(socket: TLSSocket): void {
    if (this.#closed || this.#unknown >= maxUnknown) {
      socket.destroy();
      return;
    }
    this.#serve(socket).catch((error: unknown) => {
      const { log } = this.#parts.fleet;
      log.info({ code: codeOf(error), peer: socket.remoteAddress }, 'a link ended before it was one');
      socket.destroy();
    });
  }

  /** Undefined while its link does not stand. */
  get(machine: string): LinkedMachine | undefined {
    return this.#machines.get(machine);
  }

  /** Those whose link stands. */
  all(): readonly LinkedMachine[] {
    return [...this.#machines.values()];
  }

  /** Ends the link of a machine that the fleet is to forget. */
  forget(machine: string): void {
    this.#machines.get(machine)?.session.close();
  }

  /** Ends them all. */
  close(): void {
    this.#closed = true;
    for (const { session } of this.#machines.values()) session.close();
  }

  async #serve(socket: TLSSocket): Promise<void> {
    this.#unknown += 1;
    let session: FleetSession;
    let provision: Provision;
    try {
      session = await FleetSession.accept(socket);
      provision = await session.provision();
    } finally {
      this.#unknown -= 1;
    }
    const { machine } = provision.request;
    const linked = await this.#join(session, provision);
    if (linked === undefined) return;
    const { log } = this.#parts.fleet;
    log.info({ machine, address: session.remoteAddress }, 'machine connected');
    const reason = await this.#follow(linked);
    using _turn = await this.#turns.take([machine]);
    if (this.#machines.get(machine) !== linked) return; // another one has taken its place
    this.#machines.delete(machine);
    await this.#parts.records.disconnected(machine);
    log.info({ machine, reason }, 'machine disconnected');
  }

  /** @returns undefined when the machine may not join; it was told. */
  async #join(session: FleetSession, { request, answer }: Provision): Promise<LinkedMachine | undefined> {
    const { fleet, records } = this.#parts;
    const { machine, facts } = request;
    using _turn = await this.#turns.take([machine]);
    if (!(await records.isKnown(machine))) {
      const token = request.joinToken;
      const verdict =
        token === undefined ? 'unknown' : await checkJoinToken(fleet.state, token, fleet.clock.now());
      if (verdict !== 'valid') {
        const reason = reasons[verdict];
        fleet.log.warn({ machine, reason, address: session.remoteAddress }, 'machine denied');
        await records.denied(request, session.remoteAddress, reason);
        await answer({ state: 'denied', reason, retryAfter });
        // The machine hears of it before the connection ends.
        setTimeout(() => session.close(), 1_000).unref();
        return undefined;
      }
    }
    await records.connected(request, session.remoteAddress);
    await this.#accept({ request, answer });
    this.#machines.get(machine)?.session.close();
    const linked: LinkedMachine = { id: machine, session, facts };
    this.#machines.set(machine, linked);
    return linked;
  }

  async #accept({ request, answer }: Provision): Promise<void> {
    const { link, access } = this.#parts.authorities;
    const certificate = await signNodeCSR(link, request.csr, {
      uuid: request.machine,
      lifetimeMs: certificateMs,
    });
    await answer({
      state: 'accepted',
      certificate,
      fleetCA: access.crt,
      renewAfter: certificateMs / 2 / 1000,
    });
  }

  /** @returns why the link ended. */
  async #follow(linked: LinkedMachine): Promise<string> {
    const { records, logs } = this.#parts;
    const { id, session } = linked;
    const ended = new AbortController();
    const events = async (): Promise<void> => {
      for await (const message of session.events(ended.signal)) {
        linked.facts = readFacts(message);
        await records.told(id, linked.facts);
      }
    };
    const lines = async (): Promise<void> => {
      for await (const line of session.logs(ended.signal)) logs.write(id, line);
    };
    const renewal = setInterval(() => void this.#renew(session), certificateMs / 2);
    renewal.unref();
    const stop = (): void => session.close(); // what breaks the rules is not asked again on this link
    void events().catch(stop);
    void lines().catch(stop);
    const reason = await session.closed;
    clearInterval(renewal);
    ended.abort();
    return reason;
  }

  async #renew(session: FleetSession): Promise<void> {
    try {
      await this.#accept(await session.provision());
    } catch {
      session.close(); // it comes again
    }
  }
}

import { issueServer } from '@nodecore/pki';
import type { Clock } from '@nodecore/waiting';

import type { Address } from '../address.ts';
import { renewalMs } from '../keys/node-identity.ts';
import type { Log } from '../log.ts';
import { ApiEvents } from '../server/api-events.ts';
import type { AuditTrail } from '../server/audit-trail.ts';
import { anonymousCaller } from '../server/caller.ts';
import { ServerError } from '../server/errors.ts';
import { type Limits, maintenanceLimits } from '../server/limits.ts';
import { Listener } from '../server/listener.ts';
import { RunningCalls } from '../server/running-calls.ts';
import { hostOf } from '../server/peer.ts';
import { closeDoors, serveAt, type ServingDoor, servingDoor } from '../server/serving-door.ts';
import { signerName } from './names.ts';
import type { Signer, SigningAuthority } from './signer.ts';
import { signingService } from './signing-service.ts';

/** A request with as many names as a node may have. */
const maxRequestBytes = 128 << 10;

/** Callers are strangers until their proof was read, and have one short call to make. */
export const signingLimits: Limits = {
  handshakes: { max: 128, maxPerAddress: 32, maxPerTurn: 4, deadlineMs: 5_000 },
  connections: { ...maintenanceLimits.connections, max: 128, maxPerIdentity: 32 },
  calls: { ...maintenanceLimits.calls, max: 32, maxPerIdentity: 8 },
};

export type SigningServerParts = {
  readonly log: Log;
  readonly clock: Clock;
  readonly audit: AuditTrail | undefined;
  readonly signer: Pick<Signer, 'sign'>;
  readonly limits?: Limits;
};

/** The port at which a control plane signs. Who connects shows no certificate: it has none yet. */
export class SigningServer implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #stopping = new AbortController();
  readonly #events: ApiEvents;
  readonly #listener: Listener;
  readonly #door: ServingDoor;
  #certificate: { readonly authority: string; readonly untilMs: number } | undefined;

  constructor({ log, clock, audit, signer, limits = signingLimits }: SigningServerParts) {
    this.#clock = clock;
    const events = (this.#events = new ApiEvents(log, audit));
    this.#listener = new Listener({ limits: limits.handshakes, failed: events.handshakeFailed });
    const stopping = this.#stopping.signal;
    this.#door = servingDoor({
      log,
      audit,
      clock,
      events,
      limits,
      maxRequestBytes,
      running: new RunningCalls(),
      closing: stopping,
      stopping,
      admit: ({ remoteAddress }) => anonymousCaller(remoteAddress),
      identify: (call) => anonymousCaller(hostOf(call.getPeer())),
      isReserved: () => false,
      authorise: () => {}, // the proof in the request says who may
    });
    serveAt(this.#door, (options) => [signingService(signer, options)]);
  }

  /** @returns where it listens. */
  listen(address: Address): Promise<Address> {
    return this.#listener.listen(address);
  }

  /** Shows a certificate of this authority, and another one in time. */
  async show({ ca }: SigningAuthority): Promise<void> {
    const nowMs = this.#clock.now();
    const { authority, untilMs = 0 } = this.#certificate ?? {};
    const leftMs = untilMs - nowMs;
    // More than it was given is left when the clock was set back.
    if (authority === ca.crt && leftMs > renewalMs && leftMs <= 2 * renewalMs) return;
    const lifetimeMs = 2 * renewalMs;
    const { crt, key } = await issueServer(ca, { names: [signerName], lifetimeMs, nowMs });
    using _key = key;
    this.#listener.use({ crt, key, clientAuthorities: undefined }, this.#door, 'stay');
    this.#certificate = { authority: ca.crt, untilMs: nowMs + lifetimeMs };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new ServerError('ERR_SERVER_STOPPING', 'the node signs no more certificates'));
    await closeDoors(this.#listener, [this.#door]);
    this.#events.close();
  }
}

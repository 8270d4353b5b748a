import { hostname } from 'node:os';
import { createSecureContext, type SecureContext } from 'node:tls';

import { impersonator } from '@nodecore/api';
import type { MachineRoot } from '@nodecore/config';
import { issueNamedClient } from '@nodecore/pki';
import type { Clock } from '@nodecore/waiting';

import { clientAuthorities, issuingAuthority } from '../certificates/node-certificate.ts';
import { renewalMs } from '../keys/node-identity.ts';
import { ServerError } from '../server/errors.ts';

/** What this node shows to others when it calls for somebody else, and whom it trusts. */
export type ProxyContext = { readonly context: SecureContext };

/** The certificates by which this node passes calls on, made when one is needed: most nodes are never asked. */
export class ProxyCredentials {
  readonly #clock: Pick<Clock, 'now'>;
  #machine: MachineRoot | undefined;
  #issued: { readonly atMs: number; readonly made: Promise<ProxyContext> } | undefined;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Takes the authorities of this configuration. */
  use(machine: MachineRoot | undefined): void {
    this.#machine = machine;
    this.#issued = undefined;
  }

  /**
   * The same object until there is a newer certificate.
   *
   * @throws {ServerError} `ERR_SERVER_NO_CONTROL_PLANE` on a node without the key of the authority.
   */
  async current(): Promise<ProxyContext> {
    const machine = this.#machine;
    if (machine?.type !== 'controlplane')
      throw new ServerError(
        'ERR_SERVER_NO_CONTROL_PLANE',
        'only a control plane passes calls on to other nodes: give one as the endpoint, or the node itself',
      );
    const nowMs = this.#clock.now();
    const ageMs = nowMs - (this.#issued?.atMs ?? -Infinity);
    if (this.#issued === undefined || ageMs < 0 || ageMs >= renewalMs) {
      const issued = { atMs: nowMs, made: makeContext(machine) };
      this.#issued = issued;
      issued.made.catch(() => {
        if (this.#issued === issued) this.#issued = undefined;
      });
    }
    return await this.#issued.made;
  }
}

async function makeContext(machine: MachineRoot): Promise<ProxyContext> {
  const authority = issuingAuthority(machine);
  if (authority === undefined) throw new TypeError('a control plane has the key of its authority');
  const { crt, key } = await issueNamedClient(authority, {
    commonName: hostname(),
    roles: [impersonator],
    lifetimeMs: 2 * renewalMs,
  });
  using _key = key;
  return {
    context: createSecureContext({
      ca: [...clientAuthorities(machine)],
      cert: crt,
      key: key.bytes,
      minVersion: 'TLSv1.3',
    }),
  };
}

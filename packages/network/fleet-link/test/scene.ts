import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';

import { certificatePin, parseJoinUrl } from '@nodecore/fleet-api';
import { createCA, type Identity, issueServer, readCertificate } from '@nodecore/pki';
import type { ExecutionContext } from 'ava';

import {
  createLinkIdentity,
  dial,
  type DialOptions,
  FleetSession,
  type LinkIdentity,
  type LinkLimits,
  type LinkState,
  type MachineFacts,
  type MachineHandlers,
  protocol,
} from '../src/index.ts';

export const token = 'w7uVuW3zbVKIYQuzEcyetAHeYMeo5q2L';

export const facts: MachineFacts = {
  uuid: '4c4c4544-0042-3510-8054-b5c04f4a5131',
  osVersion: 'v1.14.0-alpha.0',
  stage: 'maintenance',
};

/** Waits for the first state of this name. */
export class States {
  readonly all: LinkState[] = [];
  readonly #waiting = new Set<() => void>();

  readonly changed = (state: LinkState): void => {
    this.all.push(state);
    for (const look of this.#waiting) look();
  };

  async reach<Name extends LinkState['state']>(
    name: Name,
    times = 1,
  ): Promise<Extract<LinkState, { state: Name }>> {
    for (;;) {
      const found = this.all.filter(({ state }) => state === name)[times - 1];
      if (found !== undefined) return found as Extract<LinkState, { state: Name }>;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
      this.#waiting.delete(resolve);
    }
  }
}

export type Fleet = {
  readonly port: number;
  readonly ca: Identity;
  /** `sha256:` and hexadecimal digits, of the authority. */
  readonly pin: string;
  /** The next connection that comes, as it is. */
  readonly socket: () => Promise<TLSSocket>;
  readonly session: (limits?: Partial<LinkLimits>) => Promise<FleetSession>;
  readonly sockets: ReadonlySet<TLSSocket>;
};

/** A fleet's port on loopback, behind an authority of its own. */
export async function fleet(t: ExecutionContext, options: TlsOptions = {}): Promise<Fleet> {
  const ca = await createCA('fleet');
  const server = await issueServer(ca, { names: ['127.0.0.1'] });
  const tls = createServer({
    key: server.key.bytes,
    cert: `${server.crt}${ca.crt}`,
    ALPNProtocols: [protocol, 'h2'],
    minVersion: 'TLSv1.2',
    ...options,
  });
  const sockets = new Set<TLSSocket>();
  const arrived: TLSSocket[] = [];
  const takers: ((socket: TLSSocket) => void)[] = [];
  tls.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    const take = takers.shift();
    if (take === undefined) arrived.push(socket);
    else take(socket);
  });
  tls.on('tlsClientError', () => {});
  tls.listen(0, '127.0.0.1');
  await once(tls, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    tls.close();
  });
  const socket = async (): Promise<TLSSocket> =>
    arrived.shift() ?? (await new Promise<TLSSocket>((resolve) => takers.push(resolve)));
  return {
    port: (tls.address() as AddressInfo).port,
    ca,
    pin: pinOf(ca.crt),
    socket,
    sockets,
    session: async (limits) => await FleetSession.accept(await socket(), limits),
  };
}

export function pinOf(crt: string): string {
  return `sha256:${certificatePin(readCertificate(crt))}`;
}

export type Machine = {
  readonly states: States;
  readonly identity: LinkIdentity;
  readonly end: () => Promise<void>;
};

/** A machine that dials until the test ends. */
export async function machine(
  t: ExecutionContext,
  port: number,
  parameters: string,
  options: Partial<Omit<DialOptions, 'handlers'>> & { readonly handlers?: Partial<MachineHandlers> } = {},
): Promise<Machine> {
  const identity = options.identity?.() ?? (await createLinkIdentity());
  const states = new States();
  const stop = new AbortController();
  const running = dial({
    url: parseJoinUrl(`https://127.0.0.1:${port}/?jointoken=${token}&${parameters}`),
    identity: () => identity,
    signal: stop.signal,
    clock: { sleep: async () => await new Promise((resolve) => void setImmediate(resolve)) },
    ...options,
    handlers: {
      facts: () => facts,
      answered: () => Promise.resolve(),
      targets: new Map([['node:50000', (stream) => void stream.pipe(new PassThrough()).pipe(stream)]]),
      events: async function* () {},
      logs: async function* () {},
      ...options.handlers,
      changed: states.changed,
    },
  });
  const end = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  t.teardown(end);
  return { states, identity, end };
}

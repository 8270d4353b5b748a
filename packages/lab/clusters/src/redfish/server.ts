import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import type { SocketAddress } from '@nodecore/lan';
import { codeOf, kindOf } from '@nodecore/sys';

import type { KeptMachine } from '../keeper/messages.ts';
import type { PlannedNode } from '../plan.ts';
import { type RedfishCredentials, user } from './credentials.ts';
import {
  type BootTarget,
  bootTargets,
  type ResetType,
  resetTypes,
  root,
  serviceRoot,
  systemOf,
  systemsOf,
} from './resources.ts';

/** The machines, as the service needs them. */
export type RedfishMachines = {
  readonly nodes: readonly PlannedNode[];
  readonly reflect: () => readonly KeptMachine[];
  /** Resolves when it is done. @param fromNetwork it starts from the network this once */
  readonly reset: (name: string, type: ResetType, fromNetwork: boolean) => Promise<void>;
  /** Whether there is something on the network to start from. */
  readonly hasNetworkImage: boolean;
};

export type RedfishServer = AsyncDisposable & { readonly port: number };

const largestBodyBytes = 64 << 10;
const requestMs = 30_000;

/** An answer that is not what was asked for. */
class Refusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/**
 * Serves the power of machines by Redfish, over TLS, to who has the password; the first document alone is everybody's.
 *
 * @throws {Error} of the system for an address that can't be listened at.
 */
export async function serveRedfish(
  { address, port }: SocketAddress,
  credentials: RedfishCredentials,
  machines: RedfishMachines,
): Promise<RedfishServer> {
  const fromNetwork = new Set<string>();
  const key = Buffer.from(credentials.key.bytes);
  const server = createServer({ cert: credentials.crt, key, minVersion: 'TLSv1.2' }, (request, response) => {
    void answer(request, response, { expected, machines, fromNetwork }).catch(() => response.destroy());
  });
  key.fill(0);
  const expected = digestOf(Buffer.concat([Buffer.from(`${user}:`), credentials.password.bytes]));
  server.requestTimeout = requestMs;
  server.listen({ host: address, port });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

type Parts = {
  /** The digest of name and password. */
  readonly expected: Buffer;
  readonly machines: RedfishMachines;
  /** Names of machines that start from the network next. */
  readonly fromNetwork: Set<string>;
};

async function answer(request: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
  const send = (status: number, body?: object, headers: Readonly<Record<string, string>> = {}): void => {
    const text = body === undefined ? '' : `${JSON.stringify(body)}\n`;
    response.writeHead(status, {
      'odata-version': '4.0',
      'cache-control': 'no-store',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      'content-length': Buffer.byteLength(text),
      ...headers,
    });
    response.end(request.method === 'HEAD' ? undefined : text);
  };
  try {
    const body = await perform(request, parts);
    send(body === undefined ? 204 : 200, body);
  } catch (error) {
    const { status, headers } = error instanceof Refusal ? error : { status: statusOf(error), headers: {} };
    const message = error instanceof Error ? error.message : String(error);
    const code = codeOf(error) ?? 'Base.1.8.GeneralError';
    send(status, { error: { code, message, '@Message.ExtendedInfo': [{ Message: message }] } }, headers);
  }
}

function statusOf(error: unknown): number {
  const kind = kindOf(error);
  if (kind === 'not-found') return 404;
  return kind === 'invalid' ? 400 : 500;
}

async function perform(request: IncomingMessage, parts: Parts): Promise<object | undefined> {
  const path = (request.url ?? '').replace(/\?.*$/s, '').replace(/(?<=.)\/$/, '');
  if (path === '/redfish') return only(request, 'GET', { v1: `${root}/` });
  if (path === root) return only(request, 'GET', serviceRoot);
  requirePassword(request, parts.expected);
  const { machines, fromNetwork } = parts;
  if (path === `${root}/Systems`) return only(request, 'GET', systemsOf(machines.nodes));
  const [, name = '', action] =
    /^\/redfish\/v1\/Systems\/([a-z0-9-]{1,63})(\/Actions\/ComputerSystem\.Reset)?$/.exec(path) ?? [];
  const node = machines.nodes.find((each) => each.name === name);
  if (node === undefined) throw new Refusal(404, 'there is nothing of this name');
  if (action !== undefined) {
    only(request, 'POST', undefined);
    await reset(node, await bodyOf(request), parts);
    return undefined;
  }
  if (request.method === 'PATCH') {
    const target = targetOf(await bodyOf(request), machines);
    if (target === 'Pxe') fromNetwork.add(name);
    else fromNetwork.delete(name);
  } else only(request, 'GET, PATCH', undefined);
  const kept = machines.reflect().find((each) => each.name === name) ?? { state: 'off' as const };
  return systemOf(node, kept, fromNetwork.has(name));
}

/** @throws {Refusal} for another method */
function only<Body>({ method = '' }: IncomingMessage, methods: string, body: Body): Body {
  const allowed = methods.split(', ');
  if (allowed.includes(method) || (method === 'HEAD' && allowed.includes('GET'))) return body;
  throw new Refusal(405, `${method} does nothing here`, { allow: methods });
}

function requirePassword({ headers }: IncomingMessage, expected: Buffer): void {
  const [, base64 = ''] = /^Basic ([A-Za-z0-9+/=]{1,1024})$/i.exec(headers.authorization ?? '') ?? [];
  const given = digestOf(Buffer.from(base64, 'base64'));
  if (timingSafeEqual(given, expected)) return;
  throw new Refusal(401, 'name and password are expected', { 'www-authenticate': 'Basic realm="redfish"' });
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += (piece as Buffer).length;
    if (size > largestBodyBytes) throw new Refusal(413, 'at most 64 KiB', { connection: 'close' });
    pieces.push(piece as Buffer);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>;
  } catch {} // is answered as other wrong bodies are
  throw new Refusal(400, 'a JSON object is expected');
}

function targetOf(body: Readonly<Record<string, unknown>>, { hasNetworkImage }: RedfishMachines): BootTarget {
  const { Boot: boot = {} } = body as { readonly Boot?: Readonly<Record<string, unknown>> | null };
  const unknown = Object.keys(body).find((key) => key !== 'Boot');
  if (unknown !== undefined) throw new Refusal(400, `${JSON.stringify(unknown)} can't be changed`);
  const { BootSourceOverrideEnabled: enabled = 'Once', BootSourceOverrideTarget: target } = boot ?? {};
  if (enabled === 'Disabled') return 'None';
  const known = bootTargets.find((each) => each === target);
  if (enabled !== 'Once' || known === undefined)
    throw new Refusal(400, `Boot: Once from ${bootTargets.join(' or ')}, or Disabled`);
  if (known === 'Pxe' && !hasNetworkImage)
    throw new Refusal(409, 'the network has nothing to start from: give --ipxe-boot-script');
  return known;
}

async function reset(
  { name }: PlannedNode,
  { ResetType: type }: Readonly<Record<string, unknown>>,
  { machines, fromNetwork }: Parts,
): Promise<void> {
  const known = resetTypes.find((each) => each === type);
  if (known === undefined) throw new Refusal(400, `ResetType: one of ${resetTypes.join(', ')}`);
  const isStart = known !== 'ForceOff' && known !== 'GracefulShutdown';
  await machines.reset(name, known, isStart && fromNetwork.has(name));
  if (isStart) fromNetwork.delete(name);
}

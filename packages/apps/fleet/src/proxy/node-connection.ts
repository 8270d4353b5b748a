import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect as connectTls } from 'node:tls';

import { nodeApiTarget } from '@nodecore/fleet-link';
import { fingerprint, type Identity } from '@nodecore/pki';

import { FleetError } from '../errors.ts';
import type { LinkedMachine } from '../links/links.ts';
import type { NodeRole, RoleCertificates } from '../links/authorities.ts';

const handshakeMs = 10_000;

/** HTTP/2 to the node API of machines, one connection for each role, kept while it stands. */
export class NodeConnections {
  readonly #certificates: RoleCertificates;
  readonly #open = new WeakMap<object, Map<NodeRole, Promise<ClientHttp2Session>>>();

  constructor(certificates: RoleCertificates) {
    this.#certificates = certificates;
  }

  /** @throws {FleetError} `ERR_FLEET_STATE` when the machine's API is not the one it has named. */
  async get(machine: LinkedMachine, role: NodeRole): Promise<ClientHttp2Session> {
    const roles = this.#open.get(machine.session) ?? new Map<NodeRole, Promise<ClientHttp2Session>>();
    this.#open.set(machine.session, roles);
    const known = await roles.get(role)?.catch(() => undefined);
    if (known !== undefined && !known.closed && !known.destroyed) return known;
    const opening = this.#certificates.of(role).then((identity) => openNode(machine, identity));
    roles.set(role, opening);
    return await opening;
  }
}

/** TLS of both ends anew inside the link: the machine has named the key that its API has, and the fleet shows one role. */
async function openNode(
  { session: link, facts }: LinkedMachine,
  identity: Identity,
): Promise<ClientHttp2Session> {
  const { nodeApiSpki } = facts;
  if (nodeApiSpki === undefined) throw new FleetError('ERR_FLEET_STATE', 'the machine serves no API yet');
  const stream = await link.connect(nodeApiTarget);
  const socket = connectTls({
    socket: stream,
    cert: identity.crt,
    key: identity.key.bytes,
    minVersion: 'TLSv1.3',
    ALPNProtocols: ['h2'],
    rejectUnauthorized: false, // no authority is known: the key is, see below
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(handshakeMs) });
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined || fingerprint(certificate) !== nodeApiSpki)
      throw new FleetError(
        'ERR_FLEET_STATE',
        'the API of the machine has another key than the machine has named',
      );
  } catch (error) {
    socket.on('error', () => {}).destroy();
    throw error instanceof FleetError
      ? error
      : new FleetError('ERR_FLEET_STATE', 'the machine does not let the fleet in', { cause: error });
  }
  const session = connectHttp2('https://node', {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: 1 << 20 },
  });
  session.on('error', () => {}); // its streams tell
  session.on('stream', (pushed) => pushed.close());
  return session;
}

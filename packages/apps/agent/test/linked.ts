import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import type { Duplex } from 'node:stream';
import { connect as connectTls, createServer, type TLSSocket } from 'node:tls';
import type { AddressInfo } from 'node:net';

import { certificatePin, formatJoinUrl } from '@nodecore/fleet-api';
import { FleetSession, protocol } from '@nodecore/fleet-link';
import { createCA, type Identity, issueServer, readCertificate } from '@nodecore/pki';
import type { ExecutionContext } from 'ava';

export const token = 'w7uVuW3zbVKIYQuzEcyetAHeYMeo5q2L';

export type FleetPort = {
  readonly url: string;
  /** The next machine that comes. */
  readonly session: () => Promise<FleetSession>;
};

/** A fleet as machines see it. */
export async function fleetPort(t: ExecutionContext): Promise<FleetPort> {
  const ca = await createCA('fleet');
  const server = await issueServer(ca, { names: ['127.0.0.1'] });
  const tls = createServer({
    key: server.key.bytes,
    cert: `${server.crt}${ca.crt}`,
    ALPNProtocols: [protocol],
  });
  const sockets = new Set<TLSSocket>();
  tls.on('secureConnection', (socket) => {
    socket.on('error', () => {});
    sockets.add(socket);
  });
  tls.listen(0, '127.0.0.1');
  await once(tls, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    tls.close();
  });
  const { port } = tls.address() as AddressInfo;
  const fleetCa = certificatePin(readCertificate(ca.crt));
  return {
    url: formatJoinUrl({ host: '127.0.0.1', port, token, fleetCa }),
    session: async () => {
      const [socket] = (await once(tls, 'secureConnection')) as [TLSSocket];
      return await FleetSession.accept(socket);
    },
  };
}

/** How a call of the node API ends that is made on a stream of the link: its gRPC status, or `refused` when TLS is. */
export async function callOn(
  t: ExecutionContext,
  stream: Duplex,
  client: Identity | undefined,
  path: string,
): Promise<number | 'refused'> {
  const socket = connectTls({
    socket: stream,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
    ...(client && { cert: client.crt, key: client.key.bytes }),
  });
  t.teardown(() => socket.destroy());
  const session = connectHttp2('https://node', { createConnection: () => socket });
  const refused = Promise.race([session, socket, stream].map((each) => once(each, 'close'))).then(
    () => undefined,
  );
  for (const each of [session, socket]) each.on('error', () => {});
  const call = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  call.on('error', () => {});
  call.end(Buffer.alloc(5)); // an empty message
  const ended = new Promise<number>((resolve) => {
    call.on('response', (headers) => {
      if (headers['grpc-status'] !== undefined) resolve(Number(headers['grpc-status']));
    });
    call.on('trailers', (headers) => resolve(Number(headers['grpc-status'])));
  });
  call.resume();
  const status = await Promise.race([ended, refused.catch(() => undefined)]);
  session.destroy();
  return status ?? 'refused';
}

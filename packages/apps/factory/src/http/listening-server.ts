import type { Server, ServerOptions } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { codeOf } from '@nodecore/sys';
import { createServer } from '@nodecore/sys/http';

import { type Address, formatAddress } from '../address.ts';
import { FactoryError } from '../errors.ts';
import type { CertificateFiles } from './certificate-files.ts';

export type ListeningOptions = {
  /** How long a client may take to send a request. */
  readonly stallMs: number;
  /** With what it answers by HTTPS. */
  readonly certificate: CertificateFiles | undefined;
  /** Owns the server, which ends before what was opened until then, with the connections that there are. */
  readonly open: AsyncDisposableStack;
};

/** @throws {FactoryError} with `ERR_FACTORY_SETUP` for an address that can't be listened at. */
export async function listeningServer(
  listen: Address,
  { stallMs, certificate, open }: ListeningOptions,
): Promise<{ readonly server: Server; readonly address: Address }> {
  const options = {
    headersTimeout: stallMs,
    requestTimeout: stallMs,
    connectionsCheckingInterval: Math.min(stallMs, 30_000),
    requireHostHeader: false, // it would be refused without a code
  };
  const server =
    certificate === undefined ? createServer(options) : await createSecurely(certificate, options, stallMs);
  /** A connection whose handshake goes on is none that the server knows of. */
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const why = `--listen ${formatAddress(listen)}: ${codeOf(cause) ?? 'fails'}`;
      reject(new FactoryError('ERR_FACTORY_SETUP', why, { cause }));
    });
    server.listen(listen.port, listen.host, resolve);
  });
  open.defer(async () => {
    server.closeAllConnections();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { address: host, port } = server.address() as AddressInfo;
  return { server, address: { host, port } };
}

async function createSecurely(
  certificate: CertificateFiles,
  options: ServerOptions,
  handshakeTimeout: number,
): Promise<Server> {
  const { createServer: createTlsServer } = await import('node:https'); // only who uses it waits for it
  const server = createTlsServer({ ...options, ...certificate.current, handshakeTimeout });
  certificate.serve(server);
  return server;
}

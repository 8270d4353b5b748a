import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { connect, createServer, type TLSSocket, type TlsOptions } from 'node:tls';

import test, { type ExecutionContext } from 'ava';

import {
  createCA,
  createMaintenanceIdentity,
  issueClient,
  issueNode,
  issueServer,
  matchesFingerprint,
  type Identity,
} from '../src/index.ts';

/** A TLS server on loopback that greets whoever it accepts with the subject it saw. */
async function serve(t: ExecutionContext, identity: Identity, options: TlsOptions): Promise<number> {
  const server = createServer({
    cert: identity.crt,
    key: identity.key.bytes,
    minVersion: 'TLSv1.3',
    ...options,
  });
  server.on('secureConnection', (socket) => {
    const subject = socket.getPeerX509Certificate()?.subject ?? 'nobody';
    socket.on('error', () => {});
    socket.end(subject);
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** What a client that is refused hears: an alert or a closed connection, whichever comes first, but no greeting. */
async function refusal(socket: TLSSocket): Promise<string> {
  return await greeting(socket).catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error;
    return '';
  });
}

async function greeting(socket: TLSSocket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => (text += chunk));
  await once(socket, 'close'); // rejects with the handshake's error
  return text;
}

test('a server that requires client certificates sees the roles of an accepted client', async (t) => {
  const ca = await createCA('nodecore');
  const server = await issueServer(ca, { names: ['127.0.0.1'] });
  const client = await issueClient(ca, { roles: ['os:reader'] });
  const port = await serve(t, server, { ca: ca.crt, requestCert: true, rejectUnauthorized: true });
  const socket = connect({ port, host: '127.0.0.1', ca: ca.crt, cert: client.crt, key: client.key.bytes });
  t.is(await greeting(socket), 'O=os:reader');
  t.true(socket.authorized);
});

test('a client of another authority, a server certificate as client, and no certificate are refused', async (t) => {
  const ca = await createCA('nodecore');
  const impostor = await createCA('nodecore'); // the same name, another key
  const server = await issueServer(ca, { names: ['127.0.0.1'] });
  const port = await serve(t, server, { ca: ca.crt, requestCert: true, rejectUnauthorized: true });
  const refused = [await issueClient(impostor, { roles: ['os:admin'] }), server];
  for (const { crt, key } of refused) {
    const socket = connect({ port, host: '127.0.0.1', ca: ca.crt, cert: crt, key: key.bytes });
    t.is(await refusal(socket), '');
  }
  t.is(await refusal(connect({ port, host: '127.0.0.1', ca: ca.crt })), '');
});

test('a server of another authority, or for another address, is not trusted', async (t) => {
  const ca = await createCA('nodecore');
  const other = await createCA('other');
  const port = await serve(t, await issueServer(ca, { names: ['127.0.0.2'] }), {});
  await t.throwsAsync(greeting(connect({ port, host: '127.0.0.1', ca: ca.crt })), {
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });
  await t.throwsAsync(greeting(connect({ port, host: '127.0.0.1', ca: other.crt })), {
    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  });
});

test('during a rotation, clients of both authorities are accepted', async (t) => {
  const [before, after] = [await createCA('nodecore'), await createCA('nodecore')];
  const server = await issueServer(after, { names: ['127.0.0.1'] });
  const accepted = [before.crt, after.crt];
  const port = await serve(t, server, { ca: accepted, requestCert: true, rejectUnauthorized: true });
  for (const ca of [before, after]) {
    const client = await issueClient(ca, { roles: ['os:admin'] });
    const socket = connect({
      port,
      host: '127.0.0.1',
      ca: accepted,
      cert: client.crt,
      key: client.key.bytes,
    });
    t.is(await greeting(socket), 'O=os:admin');
  }
});

test('a maintenance certificate is checked by its fingerprint alone', async (t) => {
  const identity = await createMaintenanceIdentity({ names: ['127.0.0.1'] });
  const port = await serve(t, identity, {});
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate();
  t.true(certificate !== undefined && matchesFingerprint(certificate, [identity.fingerprint]));
  socket.destroy();
});

test('a node is known to whom it connects by its UUID', async (t) => {
  const ca = await createCA('nodecore');
  const server = await issueServer(ca, { names: ['127.0.0.1'] });
  const node = await issueNode(ca, { uuid: '6a1ba0d8-0b0c-4ed4-b4a2-8f1a5d5b3b6e' });
  const port = await serve(t, server, { ca: ca.crt, requestCert: true, rejectUnauthorized: true });
  const socket = connect({ port, host: '127.0.0.1', ca: ca.crt, cert: node.crt, key: node.key.bytes });
  t.is(await greeting(socket), 'CN=node 6a1ba0d8-0b0c-4ed4-b4a2-8f1a5d5b3b6e');
  const certificate = new X509Certificate(node.crt);
  t.is(certificate.subjectAltName, 'URI:urn:uuid:6a1ba0d8-0b0c-4ed4-b4a2-8f1a5d5b3b6e');
});

import { once } from 'node:events';
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, connect, type Server } from 'node:net';
import { createServer } from 'node:tls';

import { decode, streamDecode, streamEncode } from 'dns-packet';
import type { ExecutionContext } from 'ava';

import { httpsUpstream, tlsUpstream, type Upstream } from '@nodecore/dns';
import { createWebAuthority, issueWebServer } from '@nodecore/pki';
import { program, testWith } from '@nodecore/testkit';
import { dnsmasq } from './fixtures/dnsmasq.ts';
import { message, question } from './fixtures/questions.ts';

const real = testWith(program('dnsmasq'));

type Identity = { readonly cert: string; readonly key: Buffer; readonly authority: string };

async function identity(t: ExecutionContext): Promise<Identity> {
  const authority = await createWebAuthority('tests');
  const { crt, key } = await issueWebServer(authority, { names: ['dns.example'] });
  t.teardown(() => {
    authority.key[Symbol.dispose]();
    key[Symbol.dispose]();
  });
  return { cert: crt, key: Buffer.from(key.bytes), authority: authority.crt };
}

async function listening(t: ExecutionContext, server: Server): Promise<number> {
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}

/** TLS in front of the real server's TCP. */
async function overTls(t: ExecutionContext, port: number, { cert, key }: Identity): Promise<number> {
  const server = createServer({ cert, key, ALPNProtocols: ['dot'] }, (socket) => {
    const inner = connect(port, '127.0.0.1');
    socket.on('error', () => inner.destroy());
    inner.on('error', () => socket.destroy());
    socket.pipe(inner).pipe(socket);
  });
  server.on('tlsClientError', () => {}); // who does not trust us ends the handshake
  return await listening(t, server);
}

/** HTTPS in front of it. */
async function overHttps(t: ExecutionContext, port: number, { cert, key }: Identity): Promise<number> {
  const server = createSecureServer({ cert, key });
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => {
      if (headers[':path'] !== '/dns-query' || headers['content-type'] !== 'application/dns-message') {
        stream.respond({ ':status': 415 });
        stream.end();
        return;
      }
      const inner = connect(port, '127.0.0.1');
      inner.write(streamEncode(decode(Buffer.concat(parts))));
      let bytes = Buffer.alloc(0);
      inner.on('data', (chunk: Buffer) => {
        bytes = Buffer.concat([bytes, chunk]);
        if (bytes.length < 2 || bytes.length < bytes.readUInt16BE(0) + 2) return;
        streamDecode(bytes);
        stream.respond({ ':status': 200, 'content-type': 'application/dns-message' });
        stream.end(bytes.subarray(2));
        inner.destroy();
      });
    });
  });
  server.on('sessionError', () => {});
  return await listening(t, server);
}

const record = '--host-record=node.example,10.1.2.3';
const address = { address: '127.0.0.1', serverName: 'dns.example' };

async function answersOf(upstream: Upstream): Promise<unknown[]> {
  await using asked = upstream;
  const signal = AbortSignal.timeout(30_000);
  const ids = [1, 2, 3];
  const answers = await Promise.all(
    ids.map((id) => asked.ask(message(question('node.example', { id })), signal)),
  );
  return answers.map(({ bytes }) => {
    const { id, answers: records } = decode(bytes);
    return [id, records?.map((each) => ('data' in each ? each.data : undefined))];
  });
}

const expected = [1, 2, 3].map((id) => [id, ['10.1.2.3']]);

real('questions go over TLS side by side, to a server whose certificate has its name', async (t) => {
  const own = await identity(t);
  const port = await overTls(t, await dnsmasq(t, record), own);
  const options = { authorities: [own.authority] };
  t.deepEqual(await answersOf(tlsUpstream({ ...address, port, protocol: 'DoT' }, options)), expected);
  const other = tlsUpstream({ ...address, serverName: 'other.example', port, protocol: 'DoT' }, options);
  await t.throwsAsync(answersOf(other), { code: 'ERR_DNS_CERTIFICATE' });
  const stranger = tlsUpstream({ ...address, port, protocol: 'DoT' });
  await t.throwsAsync(answersOf(stranger), { code: 'ERR_DNS_CERTIFICATE' });
});

real('questions go over HTTPS, to a server whose certificate has its name', async (t) => {
  const own = await identity(t);
  const port = await overHttps(t, await dnsmasq(t, record), own);
  const options = { authorities: [own.authority] };
  t.deepEqual(await answersOf(httpsUpstream({ ...address, port, protocol: 'DoH' }, options)), expected);
  const other = httpsUpstream({ ...address, serverName: 'other.example', port, protocol: 'DoH' }, options);
  await t.throwsAsync(answersOf(other), { code: 'ERR_DNS_CERTIFICATE' });
});

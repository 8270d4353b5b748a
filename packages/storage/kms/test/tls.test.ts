import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect as tlsConnect, createServer } from 'node:tls';

import * as pki from '@nodecore/pki';
import { Secret } from '@nodecore/sys';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import {
  type CertificateReason,
  type ClientOptions,
  type Endpoint,
  KmsError,
  parseEndpoint,
  seal,
  unseal,
} from '../src/index.ts';
import { authority, nodeIdentity, serverIdentity } from './certificates.ts';
import { tcpServer } from './raw-server.ts';
import { runningServer, runningTlsServer } from '../../../apps/key-server/test/running-server.ts';

const nodeUuid = '0d5b0b5e-3a3b-4c6e-9a55-6f1f0a7c2d11';
const otherUuid = '7e6f4a10-9a0c-4a53-8a67-0f8f7f6b1c22';
const data = Secret.random(32);
const day = 86_400_000;

async function certificateError(
  t: ExecutionContext,
  endpoint: Endpoint,
  options: ClientOptions,
  reason: CertificateReason,
): Promise<void> {
  const error = await t.throwsAsync(seal(endpoint, { nodeUuid, data }, options), { instanceOf: KmsError });
  t.is(error.code, 'ERR_KMS_CERTIFICATE', error.message);
  t.is(error.reason, reason, error.message);
}

/** A server of Node.js hangs up on a certificate that it does not know, without an alert that would say so. */
async function notLetIn(t: ExecutionContext, endpoint: Endpoint, options: ClientOptions): Promise<void> {
  const error = await t.throwsAsync(seal(endpoint, { nodeUuid, data }, options), { instanceOf: KmsError });
  t.is(error.code, 'ERR_KMS_UNREACHABLE', error.message);
  t.regex(error.message, /hung up after the TLS handshake; .*it does not accept our certificate$/);
}

async function status(t: ExecutionContext, promise: Promise<unknown>): Promise<string | undefined> {
  const error = await t.throwsAsync(promise, { instanceOf: KmsError });
  return error.status;
}

test('a node with its certificate seals and unseals', async (t) => {
  const { endpoint, ca, roots } = await runningTlsServer(t);
  const identity = await nodeIdentity(ca, [`urn:uuid:${nodeUuid}`]);
  const blob = await seal(endpoint, { nodeUuid, data }, { roots, identity });
  using key = await unseal(endpoint, { nodeUuid, data: blob }, { roots, identity });
  t.true(key.equals(data));
});

test('the UUID may be written in capitals', async (t) => {
  const { endpoint, ca, roots } = await runningTlsServer(t);
  const identity = await nodeIdentity(ca, [`URN:UUID:${nodeUuid.toUpperCase()}`]);
  await t.notThrowsAsync(seal(endpoint, { nodeUuid: nodeUuid.toUpperCase(), data }, { roots, identity }));
});

test('a node with the certificate of another node is refused', async (t) => {
  const { endpoint, ca, roots, audit } = await runningTlsServer(t);
  const identity = await nodeIdentity(ca, [`urn:uuid:${otherUuid}`]);
  const request = { nodeUuid, data };
  t.is(await status(t, seal(endpoint, request, { roots, identity })), 'PERMISSION_DENIED');
  const [record] = await audit();
  t.like(record, { outcome: 'other-identity', node: nodeUuid, subject: 'CN=node' });
});

test('a certificate that names no node is refused', async (t) => {
  const { endpoint, ca, roots, audit } = await runningTlsServer(t);
  const { crt, key } = await pki.issueClient(ca, { roles: [`urn:uuid:${nodeUuid}`] });
  const identity = { certificate: crt, key };
  t.is(await status(t, seal(endpoint, { nodeUuid, data }, { roots, identity })), 'PERMISSION_DENIED');
  t.like((await audit())[0], { outcome: 'no-identity' });
});

test('where any client may call, a certificate is not asked for', async (t) => {
  const { endpoint, roots } = await runningTlsServer(t, { anyClient: true });
  await t.notThrowsAsync(seal(endpoint, { nodeUuid, data }, { roots }));
});

test('a node without a certificate is not let in', async (t) => {
  const { endpoint, roots } = await runningTlsServer(t);
  await certificateError(t, endpoint, { roots }, 'refused');
});

test('a certificate of another authority is not let in', async (t) => {
  const { endpoint, roots } = await runningTlsServer(t);
  const identity = await nodeIdentity(await authority(), [`urn:uuid:${nodeUuid}`]);
  await notLetIn(t, endpoint, { roots, identity });
});

test('a certificate that has ended is not let in', async (t) => {
  const { endpoint, roots, ca } = await runningTlsServer(t);
  const identity = await nodeIdentity(ca, [`urn:uuid:${nodeUuid}`], {
    nowMs: Date.now() - 2 * day,
    lifetimeMs: day,
  });
  await notLetIn(t, endpoint, { roots, identity });
});

test('a certificate for servers is not let in', async (t) => {
  const { endpoint, roots, ca } = await runningTlsServer(t);
  const { crt, key } = await pki.issueServer(ca, { names: ['node'] });
  await notLetIn(t, endpoint, { roots, identity: { certificate: crt, key } });
});

test('a server that no root signed is not trusted', async (t) => {
  const { endpoint } = await runningTlsServer(t, { anyClient: true });
  await certificateError(t, endpoint, {}, 'untrusted');
  await certificateError(t, endpoint, { roots: [(await authority()).crt] }, 'untrusted');
});

test('a server with the certificate of a client is not trusted', async (t) => {
  const { endpoint, ca, server, directory } = await runningTlsServer(t, { anyClient: true });
  const { crt, key } = await pki.issueClient(ca, { roles: ['os:admin'] });
  await writeFile(`${directory}/server.crt`, crt);
  await writeFile(`${directory}/server.key`, key.bytes);
  await server.reload();
  await certificateError(t, endpoint, { roots: [ca.crt] }, 'untrusted');
});

test('a server with a certificate for another host is not trusted', async (t) => {
  const { endpoint, roots } = await runningTlsServer(t, { anyClient: true, names: ['kms.example'] });
  await certificateError(t, endpoint, { roots }, 'host');
  const serverName = 'kms.example';
  await t.notThrowsAsync(seal(endpoint, { nodeUuid, data }, { roots, serverName }));
  await certificateError(t, endpoint, { roots, serverName: 'kms2.example' }, 'host');
});

test('a name is checked as it was asked for', async (t) => {
  const { server, roots } = await runningTlsServer(t, { anyClient: true, names: ['localhost'] });
  const { port } = server.address;
  for (const host of ['localhost', 'LOCALHOST']) {
    const endpoint = parseEndpoint(`https://${host}:${port}`);
    await t.notThrowsAsync(seal(endpoint, { nodeUuid, data }, { roots }), host);
  }
  const absolute = { roots, serverName: 'localhost.' };
  await t.notThrowsAsync(seal(parseEndpoint(`https://127.0.0.1:${port}`), { nodeUuid, data }, absolute));
});

test('a server whose certificate has ended is not trusted', async (t) => {
  const { endpoint, roots } = await runningTlsServer(t, {
    anyClient: true,
    nowMs: Date.now() - 2 * day,
    lifetimeMs: day,
  });
  await certificateError(t, endpoint, { roots }, 'expired');
});

test('a server whose certificate has not begun is not trusted', async (t) => {
  const { endpoint, roots } = await runningTlsServer(t, { anyClient: true, nowMs: Date.now() + 2 * day });
  await certificateError(t, endpoint, { roots }, 'not-yet-valid');
});

test('a root that is no certificate is named before anything is sent', async (t) => {
  const endpoint = parseEndpoint('grpcs://127.0.0.1:1');
  const good = (await authority()).crt;
  await certificateError(t, endpoint, { roots: [good, 'no certificate'] }, 'unusable');
});

test('our certificate with another key is named before anything is sent, and the key is not', async (t) => {
  const endpoint = parseEndpoint('grpcs://127.0.0.1:1');
  const ca = await authority();
  const { certificate } = await nodeIdentity(ca, []);
  await certificateError(
    t,
    endpoint,
    { identity: { certificate, key: await pki.generateKey() } },
    'unusable',
  );
  const key = Secret.copy(Buffer.from('-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n'));
  const error = await t.throwsAsync(seal(endpoint, { nodeUuid, data }, { identity: { certificate, key } }), {
    instanceOf: KmsError,
  });
  t.is(error.cause, undefined);
  t.notRegex(error.message, /c2VjcmV0|secret/);
});

test('a server that hangs up after the handshake is asked again later', async (t) => {
  const ca = await authority();
  const { crt, key } = await serverIdentity(ca);
  const tls = createServer({ cert: crt, key: key.bytes, ALPNProtocols: ['h2'] }, (socket) => socket.end());
  const port = await tcpServer(t, (socket) => tls.emit('connection', socket));
  const endpoint = parseEndpoint(`grpcs://127.0.0.1:${port}`);
  const error = await t.throwsAsync(seal(endpoint, { nodeUuid, data }, { roots: [ca.crt] }), {
    instanceOf: KmsError,
  });
  t.is(error.code, 'ERR_KMS_UNREACHABLE', error.message);
  t.regex(error.message, /hung up after the TLS handshake/);
});

test('a server that refuses our certificate with an alert has refused it', async (t) => {
  const ca = await authority();
  const { crt, key } = await serverIdentity(ca);
  const directory = await temporaryDirectory(t);
  const path = (name: string): string => join(directory, name);
  await writeFile(path('crt'), crt);
  await writeFile(path('key'), key.bytes);
  await writeFile(path('ca'), ca.crt);
  const files = ['-cert', path('crt'), '-key', path('key'), '-CAfile', path('ca'), '-alpn', 'h2'];
  const verify = ['-Verify', '1', '-verify_return_error'];
  const child = spawn('openssl', ['s_server', '-accept', '127.0.0.1:0', ...files, ...verify]);
  t.teardown(() => child.kill('SIGKILL'));
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (/^ACCEPT .*:\d+$/m.test(said)) break;
  }
  const endpoint = parseEndpoint(`grpcs://127.0.0.1:${/^ACCEPT .*:(\d+)$/m.exec(said)?.[1]}`);
  const identity = await nodeIdentity(await authority(), [`urn:uuid:${nodeUuid}`]);
  await certificateError(t, endpoint, { roots: [ca.crt], identity }, 'refused');
});

test('a server that is too old says so', async (t) => {
  const ca = await authority();
  const { crt, key } = await serverIdentity(ca);
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'ALL@SECLEVEL=0' } as const;
  const tls = createServer({ cert: crt, key: key.bytes, ...old });
  tls.on('tlsClientError', () => {});
  const port = await tcpServer(t, (socket) => tls.emit('connection', socket));
  const endpoint = parseEndpoint(`grpcs://127.0.0.1:${port}`);
  const error = await t.throwsAsync(seal(endpoint, { nodeUuid, data }, { roots: [ca.crt] }), {
    instanceOf: KmsError,
  });
  t.regex(error.message, /no TLS 1\.2 or newer/);
});

test('no session is resumed: every connection shows its certificate', async (t) => {
  const { ca, roots, server } = await runningTlsServer(t);
  const { certificate, key } = await nodeIdentity(ca, [`urn:uuid:${nodeUuid}`]);
  const common = { ...server.address, ca: [...roots], servername: '', ALPNProtocols: ['h2'] };
  for (const maxVersion of ['TLSv1.3', 'TLSv1.2'] as const) {
    const sessions: Buffer[] = [];
    const socket = tlsConnect({ ...common, maxVersion, cert: certificate, key: key.bytes });
    socket.on('session', (session) => sessions.push(session));
    socket.on('data', () => {});
    await once(socket, 'secureConnect');
    t.is(socket.getProtocol(), maxVersion);
    socket.end();
    await once(socket, 'close');
    t.true(sessions.length > 0);
    for (const session of sessions) {
      const again = tlsConnect({ ...common, maxVersion, session });
      again.on('data', () => {});
      const ended = once(again, 'close');
      again.on('error', () => {});
      await Promise.race([ended, once(again, 'secureConnect')]).catch(() => {});
      t.false(again.isSessionReused());
      again.destroy();
    }
  }
});

test('TLS where there is none', async (t) => {
  const { server } = await runningServer(t);
  const endpoint = parseEndpoint(`grpcs://127.0.0.1:${server.address.port}`);
  const error = await t.throwsAsync(seal(endpoint, { nodeUuid, data }), { instanceOf: KmsError });
  t.is(error.code, 'ERR_KMS_ANSWER', error.message);
});

test('no TLS where there is some', async (t) => {
  const { server } = await runningTlsServer(t, { anyClient: true });
  const endpoint = parseEndpoint(`grpc://127.0.0.1:${server.address.port}`);
  const error = await t.throwsAsync(seal(endpoint, { nodeUuid, data }), { instanceOf: KmsError });
  t.is(error.code, 'ERR_KMS_UNREACHABLE', error.message);
  t.true(error.message.includes('perhaps it speaks TLS'), error.message);
});

test('a key that was wiped is not used', async (t) => {
  const { endpoint, ca, roots } = await runningTlsServer(t);
  const identity = await nodeIdentity(ca, [`urn:uuid:${nodeUuid}`]);
  identity.key[Symbol.dispose]();
  await t.throwsAsync(seal(endpoint, { nodeUuid, data }, { roots, identity }), { instanceOf: TypeError });
});

import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import * as grpc from '@grpc/grpc-js';
import * as pki from '@nodecore/pki';
import { Secret } from '@nodecore/sys';
import { leakedDescriptors, openDescriptors, temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { KMSService, type RequestInit, type Response } from '@nodecore/kms/protocol';
import { KmsError, parseEndpoint, seal, unseal } from '@nodecore/kms';
import { changeRing, createRing, KeyRing, type KeyServer, startKeyServer } from '../src/index.ts';
import { serverIdentity } from '../../../storage/kms/test/certificates.ts';
import { type Running, runningServer, runningTlsServer, type TlsServer } from './running-server.ts';

const nodeUuid = '0d5b0b5e-3a3b-4c6e-9a55-6f1f0a7c2d11';
const otherUuid = '7e6f4a10-9a0c-4a53-8a67-0f8f7f6b1c22';
const data = Secret.random(32);
const loopback = { host: '127.0.0.1', port: 0 };

async function observed(
  server: KeyServer,
  path: string,
  method = 'GET',
): Promise<{ status: number; text: string }> {
  const response = await fetch(`http://127.0.0.1:${server.observeAddress?.port}${path}`, { method });
  return { status: response.status, text: await response.text() };
}

/** Resolves when `isSo` says so; changes of files are seen by the kernel's word, at no time that is known. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

test('what a node seals it unseals, and no other node does', async (t) => {
  const { endpoint } = await runningServer(t);
  const blob = await seal(endpoint, { nodeUuid, data, volume: 'u-data' });
  t.is(blob.byteLength, 74);
  using key = await unseal(endpoint, { nodeUuid, data: blob, volume: 'u-data' });
  t.true(key.equals(data));
  const refusals: readonly (readonly [string, Parameters<typeof unseal>[1]])[] = [
    ['PERMISSION_DENIED', { nodeUuid: otherUuid, data: blob, volume: 'u-data' }],
    ['PERMISSION_DENIED', { nodeUuid, data: blob, volume: 'u-other' }],
    ['INVALID_ARGUMENT', { nodeUuid, data: blob.subarray(1), volume: 'u-data' }],
    ['INVALID_ARGUMENT', { nodeUuid: 'node', data: blob, volume: 'u-data' }],
  ];
  for (const [status, request] of refusals) {
    const error = await t.throwsAsync(unseal(endpoint, request), { instanceOf: KmsError });
    t.like(error, { code: 'ERR_KMS_REFUSED', status });
  }
});

test('a client that knows only the public protocol is served', async (t) => {
  const { server } = await runningServer(t);
  const client = new grpc.Client(`127.0.0.1:${server.address.port}`, grpc.credentials.createInsecure());
  t.teardown(() => client.close());
  const call = (method: 'seal' | 'unseal', request: RequestInit): Promise<Response> => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const { path, requestSerialize, responseDeserialize } = KMSService[method];
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, response) => {
      if (error === null && response !== undefined) resolve(response);
      else reject(error ?? new Error('no response'));
    });
    return promise;
  };
  const sealed = await call('seal', { nodeUuid, data: data.bytes });
  const { data: key } = await call('unseal', { nodeUuid, data: sealed.data });
  t.deepEqual(Buffer.from(key), data.bytes);
  await t.throwsAsync(call('unseal', { nodeUuid: otherUuid, data: sealed.data }), { code: 7 } as object);
  await t.throwsAsync(call('unseal', { nodeUuid, data: Buffer.alloc(60) }), { code: 3 } as object);
  // Sealed by an old client, unsealed by a new one.
  using again = await unseal(parseEndpoint(`127.0.0.1:${server.address.port}`), {
    nodeUuid,
    data: sealed.data,
    volume: 'u-data',
  });
  t.true(again.equals(data));
});

test('a blob of another server, however large, is told from one that may work later', async (t) => {
  const { endpoint } = await runningServer(t);
  for (const size of [1, 60, 65_536])
    await t.throwsAsync(unseal(endpoint, { nodeUuid, data: Buffer.alloc(size) }), {
      code: 'ERR_KMS_REFUSED',
    });
});

test('a ring that rotates under load loses no call and no key', async (t) => {
  const { endpoint, server, ring } = await runningServer(t, {
    limits: { node: { burst: 1e6, perSecond: 1 }, peer: { burst: 1e6, perSecond: 1 } },
  });
  const blobs: Uint8Array[] = [await seal(endpoint, { nodeUuid, data })];
  const stopping = new AbortController();
  let calls = 0;
  const load = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      blobs.push(await seal(endpoint, { nodeUuid, data }));
      const blob = blobs[calls % blobs.length];
      using key = await unseal(endpoint, { nodeUuid, data: blob ?? new Uint8Array() });
      if (!key.equals(data)) throw new Error('another key');
      calls += 1;
    }
  };
  const workers = [load(), load(), load(), load()];
  for (let round = 0; round < 10; round += 1) {
    const id = await changeRing(ring, (keys) => keys.rotate(Date.now()).id);
    await until(async () => {
      const blob = await seal(endpoint, { nodeUuid, data });
      return Buffer.from(blob).toString('hex', 6, 14) === id;
    });
  }
  stopping.abort();
  await t.notThrowsAsync(Promise.all(workers));
  t.true(calls > 0);
  const ids = new Set(blobs.map((blob) => Buffer.from(blob).toString('hex', 6, 14)));
  t.true(ids.size > 5);
  await server.reload();
  for (const blob of blobs) (await unseal(endpoint, { nodeUuid, data: blob }))[Symbol.dispose]();
});

test('a ring that was damaged leaves the server with the one it has', async (t) => {
  const { endpoint, server, ring } = await runningServer(t);
  const blob = await seal(endpoint, { nodeUuid, data });
  const good = await readFile(ring);
  await writeFile(ring, 'no ring');
  await server.reload();
  (await unseal(endpoint, { nodeUuid, data: blob }))[Symbol.dispose]();
  t.regex((await observed(server, '/metrics')).text, /reloads_total\{file="ring",success="false"\} [1-9]/);
  await writeFile(ring, good);
  await server.reload();
  t.regex((await observed(server, '/metrics')).text, /reloads_total\{file="ring",success="true"\} [1-9]/);
});

test('the list of nodes is followed', async (t) => {
  const directory = await temporaryDirectory(t);
  const nodes = join(directory, 'nodes');
  await writeFile(nodes, `${otherUuid}\n`);
  const { endpoint, server } = await runningServer(t, { directory, nodes });
  await t.throwsAsync(seal(endpoint, { nodeUuid, data }), { code: 'ERR_KMS_REFUSED' });
  await appendFile(nodes, `${nodeUuid}\n`);
  await server.reload();
  const blob = await seal(endpoint, { nodeUuid, data });
  await writeFile(nodes, 'nobody\n');
  await server.reload();
  await t.notThrowsAsync(unseal(endpoint, { nodeUuid, data: blob }), 'a bad list shuts nobody out');
  await writeFile(nodes, '');
  await server.reload();
  await t.throwsAsync(unseal(endpoint, { nodeUuid, data: blob }), { code: 'ERR_KMS_REFUSED' });
});

test('a certificate that is replaced is shown to new connections', async (t) => {
  const { endpoint, server, directory, ca, roots } = await runningTlsServer(t, {
    anyClient: true,
    names: ['old'],
  });
  await t.notThrowsAsync(seal(endpoint, { nodeUuid, data }, { roots, serverName: 'old' }));
  const { crt, key } = await serverIdentity(ca, { names: ['new'] });
  // Between the two writes certificate and key do not belong together.
  await writeFile(join(directory, 'server.crt'), crt);
  await server.reload();
  await t.notThrowsAsync(seal(endpoint, { nodeUuid, data }, { roots, serverName: 'old' }));
  await writeFile(join(directory, 'server.key'), key.bytes);
  await until(async () => {
    const renewed = seal(endpoint, { nodeUuid, data }, { roots, serverName: 'new' });
    return await renewed.then(
      () => true,
      () => false,
    );
  });
  await t.throwsAsync(seal(endpoint, { nodeUuid, data }, { roots, serverName: 'old' }), {
    code: 'ERR_KMS_CERTIFICATE',
  });
});

test('the audit log can be rotated', async (t) => {
  const { endpoint, server, directory, audit } = await runningServer(t);
  const path = join(directory, 'audit.log');
  await seal(endpoint, { nodeUuid, data, volume: 'one' });
  await rename(path, `${path}.1`);
  await server.reopenAudit();
  await seal(endpoint, { nodeUuid, data, volume: 'two' });
  t.true((await readFile(`${path}.1`, 'utf8')).includes('"volume":"one"'));
  const records = await audit();
  t.is(records.length, 1);
  t.like(records[0], { operation: 'seal', outcome: 'ok', peer: '127.0.0.1', node: nodeUuid, volume: 'two' });
});

test('a node that calls too often is told to come back', async (t) => {
  const limits = { node: { burst: 1, perSecond: 0.001 }, peer: { burst: 100, perSecond: 1 } };
  const { endpoint } = await runningServer(t, { limits });
  await seal(endpoint, { nodeUuid, data });
  const error = await t.throwsAsync(seal(endpoint, { nodeUuid, data }), { instanceOf: KmsError });
  t.like(error, { code: 'ERR_KMS_BUSY', status: 'RESOURCE_EXHAUSTED' });
  await t.notThrowsAsync(seal(endpoint, { nodeUuid: otherUuid, data }));
});

test('metrics count calls by outcome, keys by state, and what may end', async (t) => {
  const { endpoint, server, ring, roots } = await runningTlsServer(t, { anyClient: true });
  const blob = await seal(endpoint, { nodeUuid, data }, { roots });
  (await unseal(endpoint, { nodeUuid, data: blob }, { roots }))[Symbol.dispose]();
  await t.throwsAsync(unseal(endpoint, { nodeUuid: otherUuid, data: blob }, { roots }));
  await t.throwsAsync(seal(endpoint, { nodeUuid, data })); // trusts nobody
  const id = await changeRing(ring, (keys) => keys.rotate(1_800_000_000_000).id);
  await server.reload();
  await until(async () => (await observed(server, '/metrics')).text.includes('handshake_failures_total 1'));
  const { status, text } = await observed(server, '/metrics');
  t.is(status, 200);
  const lines = text.split('\n');
  for (const line of [
    'nodecore_kms_requests_total{operation="seal",outcome="ok"} 1',
    'nodecore_kms_requests_total{operation="unseal",outcome="ok"} 1',
    'nodecore_kms_requests_total{operation="unseal",outcome="not-authentic"} 1',
    `nodecore_kms_unseals_total{key="${Buffer.from(blob).toString('hex', 6, 14)}"} 1`,
    'nodecore_kms_request_seconds_count{operation="unseal"} 2',
    'nodecore_kms_ring_keys{state="active"} 1',
    'nodecore_kms_ring_keys{state="previous"} 1',
    'nodecore_kms_ring_keys{state="retired"} 0',
    'nodecore_kms_ring_active_created_timestamp_seconds 1800000000',
  ])
    t.true(lines.includes(line), line);
  t.regex(text, /^nodecore_kms_certificate_not_after_timestamp_seconds [1-9]/m);
  t.false(text.includes(id));
});

test('health and metrics are all that is answered there', async (t) => {
  const { server } = await runningServer(t);
  t.deepEqual(await observed(server, '/healthz'), { status: 200, text: 'ok\n' });
  t.is((await observed(server, '/')).status, 404);
  t.is((await observed(server, '/healthz', 'POST')).status, 405);
});

for (const [how, start] of Object.entries({
  'in plaintext': (t: ExecutionContext) => runningServer(t),
  'with certificates': (t: ExecutionContext) => runningTlsServer(t, { anyClient: true }),
})) {
  test(`a server ${how} that ends answers every call that it has decided, and the others may come again`, async (t) => {
    const { endpoint, server, audit, roots }: Running & Partial<TlsServer> = await start(t);
    const options = { roots };
    const calls = Array.from({ length: 40 }, () => seal(endpoint, { nodeUuid, data }, options));
    await Promise.any(calls);
    await server.close();
    await server.close();
    const results = await Promise.allSettled(calls);
    const answered = results.filter(({ status }) => status === 'fulfilled');
    t.is(answered.length, (await audit()).length);
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      const { code, reason } = result.reason as KmsError;
      // In the middle of a handshake an end looks like a refusal.
      const mayComeAgain = ['ERR_KMS_UNREACHABLE', 'ERR_KMS_BUSY'].includes(code) || reason === 'refused';
      t.true(mayComeAgain, String(result.reason));
    }
    await t.throwsAsync(seal(endpoint, { nodeUuid, data }, options), { code: 'ERR_KMS_UNREACHABLE' });
  });
}

test('plaintext is refused on anything but loopback, with what to do', async (t) => {
  const directory = await temporaryDirectory(t);
  const ring = join(directory, 'ring');
  using fresh = KeyRing.create(0);
  await createRing(ring, fresh);
  for (const host of ['0.0.0.0', '::', '10.0.0.1', '::ffff:10.0.0.1']) {
    const started = startKeyServer({ listen: { host, port: 0 }, ring, tls: 'plaintext' });
    await t.throwsAsync(started, { code: 'ERR_KMS_SETUP', message: /127\.0\.0\.1/ });
  }
  const observe = { host: '0.0.0.0', port: 0 };
  await t.throwsAsync(startKeyServer({ listen: loopback, observe, ring, tls: 'plaintext' }), {
    code: 'ERR_KMS_SETUP',
  });
});

test.serial('a server that can not start leaves nothing open', async (t) => {
  const directory = await temporaryDirectory(t);
  const ring = join(directory, 'ring');
  const path = (name: string): string => join(directory, name);
  using fresh = KeyRing.create(0);
  await createRing(ring, fresh);
  const { crt, key } = await pki.createCA('x');
  await writeFile(path('crt'), crt);
  await writeFile(path('key'), key.bytes);
  await writeFile(path('other'), (await pki.createCA('y')).key.bytes);
  const running = await startKeyServer({ listen: loopback, ring, tls: 'plaintext', audit: path('audit') });
  t.teardown(() => running.close());
  const files = { certificate: path('crt'), key: path('key'), clientAuthorities: undefined };
  const before = openDescriptors();
  const base = { listen: loopback, observe: loopback, ring, audit: path('audit') };
  const wrong: readonly (readonly [Parameters<typeof startKeyServer>[0], string])[] = [
    [{ ...base, tls: 'plaintext', ring: path('none') }, 'ERR_KMS_RING_MISSING'],
    [{ ...base, tls: 'plaintext', audit: '/dev/full' }, 'ERR_KMS_AUDIT'],
    [{ ...base, tls: 'plaintext', nodes: path('none') }, 'ERR_KMS_NODES'],
    [{ ...base, tls: { ...files, certificate: path('none') } }, 'ERR_KMS_SETUP'],
    [{ ...base, tls: { ...files, certificate: path('key') } }, 'ERR_KMS_SETUP'],
    [{ ...base, tls: { ...files, key: path('other') } }, 'ERR_KMS_SETUP'],
    [{ ...base, tls: { ...files, clientAuthorities: path('key') } }, 'ERR_KMS_SETUP'],
    [{ ...base, tls: 'plaintext', listen: running.address }, 'EADDRINUSE'],
  ];
  for (const [options, code] of wrong) await t.throwsAsync(startKeyServer(options), { code }, code);
  t.deepEqual(leakedDescriptors(before), []);
});

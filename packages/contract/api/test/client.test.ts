import { type Metadata, status } from '@grpc/grpc-js';
import { once } from 'node:events';
import { connect as connectTo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import { ApiError, connect, failure, permits, rolesOf, type ConnectOptions } from '../src/index.ts';
import * as pki from '@nodecore/pki';
import { startNodeServer } from './node-server.ts';

const authority = await pki.createCA('test');
const server = await pki.issueServer(authority, { names: ['127.0.0.1'] });
const admin = await pki.issueClient(authority, { roles: ['os:admin'] });

function mutual(endpoint: string, identity = admin): ConnectOptions {
  return { endpoint, ca: authority.crt, crt: identity.crt, key: identity.key };
}

async function failureOf(t: ExecutionContext, call: () => Promise<unknown>): Promise<ApiError> {
  return await t.throwsAsync<ApiError>(call, { instanceOf: ApiError });
}

test('a client with a certificate of the authority is served, and its roles are known', async (t) => {
  const seen: string[][] = [];
  const node = await startNodeServer(t, {
    identity: server,
    ca: authority.crt,
    machine: {
      version: (call, answer) => {
        seen.push([...rolesOf(call.getAuthContext()?.sslPeerCertificate)]);
        answer(null, { version: '1.2.3' });
      },
    },
  });
  const both = await pki.issueClient(authority, { roles: ['os:reader', 'os:operator'] });
  await using client = connect(mutual(node.endpoint, both));
  t.is((await client.version()).version, '1.2.3');
  await using second = connect(mutual(node.endpoint));
  await second.version();
  t.deepEqual(seen, [['os:operator', 'os:reader'], ['os:admin']]);
});

test('a denied call has its own code, and the reason and problems of the node', async (t) => {
  const problems = [{ code: 'size.min_gt_max', message: 'minSize is above maxSize', line: 7, column: 3 }];
  const node = await startNodeServer(t, {
    identity: server,
    ca: authority.crt,
    machine: {
      applyConfiguration: (call, answer) => {
        const roles = rolesOf(call.getAuthContext()?.sslPeerCertificate);
        if (permits(roles, call.getPath()))
          answer(failure(status.INVALID_ARGUMENT, '1 problem', { code: 'ERR_CONFIG_INVALID', problems }));
        else answer(failure(status.PERMISSION_DENIED, 'needs os:admin'));
      },
    },
  });
  await using reader = connect(
    mutual(node.endpoint, await pki.issueClient(authority, { roles: ['os:reader'] })),
  );
  const denied = await failureOf(t, () => reader.applyConfiguration({ data: new Uint8Array() }));
  t.is(denied.code, 'ERR_API_DENIED');
  await using client = connect(mutual(node.endpoint));
  const invalid = await failureOf(t, () => client.applyConfiguration({ data: new Uint8Array() }));
  t.is(invalid.code, 'ERR_API_INVALID');
  t.is(invalid.reason, 'ERR_CONFIG_INVALID');
  t.like(invalid.problems, { 0: { code: 'size.min_gt_max', line: 7, column: 3, document: '' } });
});

test('a certificate without its key is refused before anything is sent', async (t) => {
  const { key } = await pki.issueClient(authority, { roles: ['os:reader'] });
  const error = t.throws(() => connect({ endpoint: 'node', ca: authority.crt, crt: admin.crt, key }), {
    instanceOf: ApiError,
  });
  t.is(error.code, 'ERR_API_CREDENTIALS');
});

test('the target node and the cluster travel as metadata', async (t) => {
  const node = await startNodeServer(t, {
    identity: server,
    ca: authority.crt,
    machine: {
      version: (call, answer) => {
        answer(null, { hostname: [...call.metadata.get('node'), ...call.metadata.get('context')].join() });
      },
    },
  });
  await using client = connect({ ...mutual(node.endpoint), cluster: 'blue' });
  t.is((await client.version({ node: '10.0.0.9' })).hostname, '10.0.0.9,blue');
});

test('a call that a node has failed says under which id its log has it; one that nobody has heard has none', async (t) => {
  const heard: string[] = [];
  const refuse = ({ metadata }: { readonly metadata: Metadata }): ReturnType<typeof failure> => {
    heard.push(String(metadata.get('x-request-id')));
    return failure(status.NOT_FOUND, 'no such thing');
  };
  const node = await startNodeServer(t, {
    identity: server,
    ca: authority.crt,
    machine: { version: (call, answer) => answer(refuse(call)) },
    inspect: { cpuProfile: (call) => void call.emit('error', refuse(call)) },
  });
  await using client = connect(mutual(node.endpoint));
  const told = [
    await failureOf(t, () => client.version()),
    await failureOf(t, () => client.version()),
    await failureOf(t, () => Array.fromAsync(client.profiles.cpu(100))),
  ].map(({ requestId }) => requestId);
  t.deepEqual(told, heard);
  t.is(new Set(told).size, 3, 'each call has its own');
  await using nobody = connect(mutual('127.0.0.1:1'));
  t.is((await failureOf(t, () => nobody.version())).requestId, undefined);
});

test('a node of a release that passes nothing on is not asked in place of the one that is named', async (t) => {
  const asked: string[] = [];
  const node = await startNodeServer(t, {
    identity: server,
    ca: authority.crt,
    isOld: true,
    machine: {
      version: (call, answer) => {
        asked.push(call.getPath());
        answer(null, { hostname: 'the endpoint' });
      },
      applyConfiguration: (call, answer) => {
        asked.push(call.getPath());
        answer(null, {});
      },
    },
  });
  await using client = connect(mutual(node.endpoint));
  const elsewhere = { node: '10.0.0.9' };
  for (const call of [
    () => client.version(elsewhere),
    () => client.applyConfiguration({ data: new Uint8Array() }, elsewhere),
    () => Array.fromAsync(client.watch({ type: 'x' }, elsewhere)),
    () => client.restoreHeader(requests(), elsewhere),
  ]) {
    const error = await failureOf(t, call);
    t.is(error.code, 'ERR_API_UNSUPPORTED');
    t.regex(
      error.message,
      /^10\.0\.0\.9: the endpoint does not pass this call on, it is of an earlier release/u,
    );
  }
  t.deepEqual(asked, []);
  t.is((await client.version()).hostname, 'the endpoint');
});

async function* requests(): AsyncGenerator<{ readonly volume: string }> {
  yield { volume: 'STATE' };
}

test('a server with a certificate of another authority is not trusted', async (t) => {
  const other = await pki.createCA('other');
  const node = await startNodeServer(t, { identity: await pki.issueServer(other, { names: ['127.0.0.1'] }) });
  await using client = connect(mutual(node.endpoint));
  t.is((await failureOf(t, () => client.version())).code, 'ERR_API_UNTRUSTED');
});

test('without a matching fingerprint not a byte of the request is sent', async (t) => {
  const { listener, received, endpoint } = await startTlsRecorder(t);
  const wrong = Buffer.alloc(32, 7).toString('base64');
  await using client = connect({ endpoint, insecure: true, fingerprints: [wrong] });
  const error = await failureOf(t, () => client.applyConfiguration({ data: Buffer.from('secret') }));
  t.is(error.code, 'ERR_API_FINGERPRINT');
  t.true(error.message.includes(pki.fingerprint(server.crt)));
  client.close();
  await new Promise((resolve) => listener.close(resolve));
  t.is(Buffer.concat(received).length, 0);
});

test('a fingerprint is accepted in base64 and in hexadecimal, and none accepts any certificate', async (t) => {
  const node = await startNodeServer(t, {
    identity: server,
    machine: { version: (_call, answer) => answer(null, { maintenance: true }) },
  });
  const base64 = pki.fingerprint(server.crt);
  const hex = Buffer.from(base64, 'base64').toString('hex').toUpperCase().match(/../g)!.join(':');
  for (const fingerprints of [[base64], [hex], [Buffer.alloc(32).toString('base64'), base64], []]) {
    await using client = connect({ endpoint: node.endpoint, insecure: true, fingerprints });
    t.true((await client.version()).maintenance);
  }
});

test('a fingerprint that is none is refused at once', (t) => {
  t.throws(() => connect({ endpoint: 'node', insecure: true, fingerprints: ['x'] }), {
    code: 'ERR_PKI_FINGERPRINT',
  });
});

test('a client without a certificate, or with one of another authority, gets nothing where one is required', async (t) => {
  let calls = 0;
  const node = await startNodeServer(t, {
    identity: server,
    ca: authority.crt,
    machine: {
      version: (_call, answer) => {
        calls += 1;
        answer(null, {});
      },
    },
  });
  await using nobody = connect({ endpoint: node.endpoint, insecure: true });
  t.is((await failureOf(t, () => nobody.version())).code, 'ERR_API_UNAUTHENTICATED');
  const other = await pki.createCA('other');
  await using stranger = connect(
    mutual(node.endpoint, await pki.issueClient(other, { roles: ['os:admin'] })),
  );
  t.is((await failureOf(t, () => stranger.version())).code, 'ERR_API_UNAUTHENTICATED');
  t.is(calls, 0);
});

test('a client without a certificate is told so by a slow node, too, which it dialled twice', async (t) => {
  // As a node does to who may not come in: after the handshake it hangs up without a word.
  const identity = { cert: server.crt, key: Buffer.from(server.key.bytes), ALPNProtocols: ['h2'] };
  const node = await listen(createTlsServer(identity, (socket) => void socket.destroy()));
  t.teardown(() => node.listener.close());
  const port = Number(node.endpoint.split(':').at(-1));
  const dialled: Socket[] = [];
  const sockets: Socket[] = [];
  const slow = createServer((socket) => {
    const behind = connectTo({ host: '127.0.0.1', port });
    for (const one of [socket, behind]) one.on('error', () => {});
    t.teardown(() => {
      for (const one of [socket, behind]) one.destroy();
    });
    socket.pipe(behind);
    // The first is answered when the client has given up to wait for it alone; the second never is.
    dialled.push(behind);
    if (dialled.length === 2) dialled[0]?.pipe(sockets[0] as Socket);
    sockets.push(socket);
  });
  const { endpoint } = await listen(slow);
  t.teardown(() => slow.close());
  await using nobody = connect({ endpoint, insecure: true });
  t.is((await failureOf(t, () => nobody.version())).code, 'ERR_API_UNAUTHENTICATED');
  t.true(dialled.length >= 2);
});

test('a client that is closed hangs up on a node that is silent in the handshake', async (t) => {
  const { endpoint, listener } = await listen(createServer());
  t.teardown(() => listener.close());
  const accepted = once(listener, 'connection') as Promise<[Socket]>;
  const client = connect({ endpoint, insecure: true });
  const call = failureOf(t, () => client.version());
  const [socket] = await accepted;
  t.teardown(() => socket.destroy());
  socket.resume().on('error', () => {}); // however it hangs up
  client.close();
  await once(socket, 'close', { signal: AbortSignal.timeout(5000) });
  t.truthy((await call).code);
});

test('nobody listening is unreachable, and something else listening is no node', async (t) => {
  const closed = await listen(createServer());
  await new Promise((resolve) => closed.listener.close(resolve));
  await using nobody = connect(mutual(closed.endpoint));
  t.is((await failureOf(t, () => nobody.version())).code, 'ERR_API_UNREACHABLE');

  const plain = await listen(createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
  t.teardown(() => plain.listener.close());
  await using other = connect(mutual(plain.endpoint));
  t.is((await failureOf(t, () => other.version())).code, 'ERR_API_PROTOCOL');
});

test('a call ends at its deadline, and at once when its signal fires', async (t) => {
  const node = await startNodeServer(t, {
    identity: server,
    ca: authority.crt,
    machine: { version: () => {} },
  });
  await using client = connect(mutual(node.endpoint));
  t.is((await failureOf(t, () => client.version({ timeoutMs: 50 }))).code, 'ERR_API_TIMEOUT');
  const abort = new AbortController();
  const reason = new Error('enough');
  const call = client.version({ signal: abort.signal });
  abort.abort(reason);
  t.is(await t.throwsAsync(call), reason);
  t.is(await t.throwsAsync(client.version({ signal: abort.signal })), reason);
});

test('leaving the loop over a list cancels the call on the node', async (t) => {
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  const node = await startNodeServer(t, {
    identity: server,
    ca: authority.crt,
    resources: {
      list: (call) => {
        call.on('cancelled', resolve);
        call.write({ resources: [{ metadata: { id: 'a' } }] });
      },
    },
  });
  await using client = connect(mutual(node.endpoint));
  for await (const { resources } of client.list({ type: 'T' })) {
    t.is(resources[0]?.metadata?.id, 'a');
    break;
  }
  await cancelled;
});

/** A TLS server that keeps what it decrypts. */
async function startTlsRecorder(
  t: ExecutionContext,
): Promise<{ endpoint: string; received: Buffer[]; listener: Server }> {
  const received: Buffer[] = [];
  const listener = createTlsServer(
    { cert: server.crt, key: server.key.bytes, ALPNProtocols: ['h2'] },
    (socket) => {
      socket.on('data', (data: Buffer) => received.push(data));
      socket.on('error', () => {});
    },
  );
  listener.on('tlsClientError', () => {});
  t.teardown(() => listener.close());
  return { ...(await listen(listener)), received };
}

async function listen<Listener extends Server>(
  listener: Listener,
): Promise<{ endpoint: string; listener: Listener }> {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  return { endpoint: `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, listener };
}

async function* pieces(...sizes: readonly number[]): AsyncGenerator<{ volume?: string; data: Uint8Array }> {
  for (const [index, size] of sizes.entries())
    yield { ...(index === 0 && { volume: 'u-data' }), data: new Uint8Array(size).fill(index) };
}

test('what is uploaded arrives whole and in order, and has one answer', async (t) => {
  const seen: (readonly [string, number, number])[] = [];
  const node = await startNodeServer(t, {
    identity: server,
    ca: authority.crt,
    volumes: {
      restoreHeader: (call, answer) => {
        call.on('data', ({ volume, data }: { volume: string; data: Uint8Array }) =>
          seen.push([volume, data.length, data[0] ?? -1]),
        );
        call.on('end', () => answer(null, { uuid: 'x' }));
      },
    },
  });
  await using client = connect(mutual(node.endpoint));
  const mebibyte = 1 << 20;
  t.is((await client.restoreHeader(pieces(mebibyte, mebibyte, 5))).uuid, 'x');
  t.deepEqual(seen, [
    ['u-data', mebibyte, 0],
    ['', mebibyte, 1],
    ['', 5, 2],
  ]);
});

test('a node that refuses an upload is not sent the rest of it', async (t) => {
  const node = await startNodeServer(t, {
    identity: server,
    ca: authority.crt,
    volumes: { restoreHeader: (_call, answer) => answer(failure(status.NOT_FOUND, 'no such volume')) },
  });
  await using client = connect(mutual(node.endpoint));
  let ended = false;
  async function* endless() {
    try {
      for (;;) yield { data: new Uint8Array(1 << 16) };
    } finally {
      ended = true;
    }
  }
  const error = await failureOf(t, () => client.restoreHeader(endless()));
  t.is(error.code, 'ERR_API_NOT_FOUND');
  t.true(ended);
});

test('an upload whose source fails is cancelled, with the failure of the source', async (t) => {
  const begun = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  const node = await startNodeServer(t, {
    identity: server,
    ca: authority.crt,
    volumes: {
      restoreHeader: (call) => {
        call.on('cancelled', () => cancelled.resolve());
        call.on('data', () => begun.resolve());
      },
    },
  });
  await using client = connect(mutual(node.endpoint));
  async function* broken() {
    yield { volume: 'u-data', data: new Uint8Array(1) };
    await begun.promise;
    throw new RangeError('the file ends');
  }
  await t.throwsAsync(client.restoreHeader(broken()), { instanceOf: RangeError });
  await cancelled.promise;
});

import { randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';

import { Secret } from '@nodecore/sys';
import { leakedDescriptors, openDescriptors } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { type Endpoint, KmsError, parseEndpoint, seal, unseal, type KmsErrorCode } from '../src/index.ts';
import { framed, rawServer, reply, responseOf, tcpServer } from './raw-server.ts';

const nodeUuid = '0d5b0b5e-3a3b-4c6e-9a55-6f1f0a7c2d11';
const key = Secret.random(32);
const blob = randomBytes(60);

async function failure(
  t: ExecutionContext,
  promise: Promise<unknown>,
  code: KmsErrorCode,
): Promise<KmsError> {
  const error = await t.throwsAsync(promise, { instanceOf: KmsError });
  t.is(error.code, code, error.message);
  return error;
}

test('seal sends node and key, and returns what the server answers', async (t) => {
  let seen: Buffer = Buffer.alloc(0);
  let path: string | undefined;
  const endpoint = await rawServer(t, (stream, request, headers) => {
    seen = request;
    path = headers[':path'];
    reply(stream, framed(responseOf(blob)));
  });
  t.deepEqual(Buffer.from(await seal(endpoint, { nodeUuid, data: key })), blob);
  t.is(path, '/sidero.kms.KMSService/Seal');
  const expected = [Buffer.from([0x0a, 36]), Buffer.from(nodeUuid), Buffer.from([0x12, 32]), key.bytes];
  t.deepEqual(seen.subarray(5), Buffer.concat(expected));
});

test('what the key is for is in a field that older servers skip', async (t) => {
  let seen: Buffer = Buffer.alloc(0);
  const endpoint = await rawServer(t, (stream, request) => {
    seen = request;
    reply(stream, framed(responseOf(blob)));
  });
  await seal(endpoint, { nodeUuid, data: key, volume: 'u-data' });
  const tag = Buffer.from([0xca, 0x3e, 6]); // field 1001, bytes
  t.deepEqual(seen.subarray(5 + 72), Buffer.concat([tag, Buffer.from('u-data')]));
});

test('unseal returns the 32 bytes of the answer', async (t) => {
  let path: string | undefined;
  const endpoint = await rawServer(t, (stream, _request, headers) => {
    path = headers[':path'];
    reply(stream, framed(responseOf(key.bytes)));
  });
  using answer = await unseal(endpoint, { nodeUuid, data: blob });
  t.true(answer.equals(key));
  t.is(path, '/sidero.kms.KMSService/Unseal');
});

test('the deadline goes with the call', async (t) => {
  let timeout: string | string[] | undefined;
  const endpoint = await rawServer(t, (stream, _request, headers) => {
    timeout = headers['grpc-timeout'];
    reply(stream, framed(responseOf(key.bytes)));
  });
  using _answer = await unseal(endpoint, { nodeUuid, data: blob }, { timeoutMs: 5_000 });
  t.regex(String(timeout), /^[1-5]?\d{3}m$/);
});

for (const size of [0, 1, 16, 31, 33, 64, 60_000]) {
  test(`a key of ${size} bytes is no key`, async (t) => {
    const endpoint = await rawServer(t, (stream) => reply(stream, framed(responseOf(randomBytes(size)))));
    const error = await failure(t, unseal(endpoint, { nodeUuid, data: blob }), 'ERR_KMS_ANSWER');
    t.true(error.message.includes(`${size}`));
  });
}

test('sealed data of 64 KiB is taken', async (t) => {
  const large = randomBytes(65_536);
  const endpoint = await rawServer(t, (stream) => reply(stream, framed(responseOf(large))));
  t.deepEqual(Buffer.from(await seal(endpoint, { nodeUuid, data: key })), large);
});

const impossible: Record<string, (size?: number) => Buffer> = {
  'empty sealed data': () => framed(responseOf(Buffer.alloc(0))),
  'sealed data of 64 KiB and one byte': () => framed(responseOf(randomBytes(65_537))),
  'an answer of a megabyte': () => framed(responseOf(randomBytes(1 << 20))),
  'the key itself': () => framed(responseOf(key.bytes)),
  'the key within something': () =>
    framed(responseOf(Buffer.concat([randomBytes(9), key.bytes, randomBytes(9)]))),
  'random bytes instead of a message': () => framed(Buffer.from('ffffffffffffffff', 'hex')),
  'a field that ends after the message': () => framed(Buffer.from([0x0a, 0x7f, 1])),
  'a message shorter than it says': () => framed(responseOf(blob)).subarray(0, 40),
  'a message longer than it says': () => Buffer.concat([framed(responseOf(blob)), Buffer.from([0])]),
  'two messages': () => Buffer.concat([framed(responseOf(blob)), framed(responseOf(blob))]),
  'half a prefix': () => Buffer.from([0, 0]),
  'no message': () => Buffer.alloc(0),
  'a compressed message': () => Buffer.from([1, 0, 0, 0, 1, 0]),
  'a message that says it is compressed, and reads as one': () => {
    const body = framed(responseOf(blob));
    body[0] = 1;
    return body;
  },
};

for (const [what, body] of Object.entries(impossible)) {
  test(`${what} is no answer to seal`, async (t) => {
    const endpoint = await rawServer(t, (stream) => reply(stream, body()));
    const error = await failure(t, seal(endpoint, { nodeUuid, data: key }), 'ERR_KMS_ANSWER');
    t.false(error.message.includes(key.bytes.toString('latin1')));
  });
}

const statuses: readonly (readonly [number, string, KmsErrorCode])[] = [
  [3, 'INVALID_ARGUMENT', 'ERR_KMS_REFUSED'],
  [4, 'DEADLINE_EXCEEDED', 'ERR_KMS_TIMEOUT'],
  [5, 'NOT_FOUND', 'ERR_KMS_REFUSED'],
  [7, 'PERMISSION_DENIED', 'ERR_KMS_REFUSED'],
  [8, 'RESOURCE_EXHAUSTED', 'ERR_KMS_BUSY'],
  [9, 'FAILED_PRECONDITION', 'ERR_KMS_REFUSED'],
  [12, 'UNIMPLEMENTED', 'ERR_KMS_ANSWER'],
  [13, 'INTERNAL', 'ERR_KMS_FAILED'],
  [14, 'UNAVAILABLE', 'ERR_KMS_BUSY'],
  [16, 'UNAUTHENTICATED', 'ERR_KMS_REFUSED'],
  [999, 'status 999', 'ERR_KMS_FAILED'],
];

for (const [number, name, code] of statuses) {
  test(`${name} is ${code}`, async (t) => {
    const endpoint = await rawServer(t, (stream) => {
      const headers = { 'grpc-status': String(number), 'grpc-message': 'n%C3%B6 %0Aline' };
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...headers }, { endStream: true });
    });
    const error = await failure(t, unseal(endpoint, { nodeUuid, data: blob }), code);
    t.is(error.status, name);
    t.true(error.message.includes('nö  line'), error.message);
  });
}

test('a status that comes after a message counts', async (t) => {
  const endpoint = await rawServer(t, (stream) =>
    reply(stream, framed(responseOf(key.bytes)), { 'grpc-status': '7' }),
  );
  await failure(t, unseal(endpoint, { nodeUuid, data: blob }), 'ERR_KMS_REFUSED');
});

test('a status that is no number is no answer', async (t) => {
  const endpoint = await rawServer(t, (stream) =>
    reply(stream, framed(responseOf(key.bytes)), { 'grpc-status': 'OK' }),
  );
  await failure(t, unseal(endpoint, { nodeUuid, data: blob }), 'ERR_KMS_ANSWER');
});

test('a message without a status is no answer', async (t) => {
  const endpoint = await rawServer(t, (stream) => reply(stream, framed(responseOf(key.bytes)), {}));
  await failure(t, unseal(endpoint, { nodeUuid, data: blob }), 'ERR_KMS_FAILED');
});

test('words of the server without end are cut', async (t) => {
  const endpoint = await rawServer(t, (stream) =>
    reply(stream, Buffer.alloc(0), { 'grpc-status': '7', 'grpc-message': 'x'.repeat(20_000) }),
  );
  const error = await failure(t, unseal(endpoint, { nodeUuid, data: blob }), 'ERR_KMS_REFUSED');
  t.true(error.message.length < 500);
});

for (const [status, code] of [
  [404, 'ERR_KMS_ANSWER'],
  [500, 'ERR_KMS_ANSWER'],
  [503, 'ERR_KMS_BUSY'],
] as const) {
  test(`HTTP status ${status} of something in between is ${code}`, async (t) => {
    const endpoint = await rawServer(t, (stream) => {
      stream.respond({ ':status': status, 'content-type': 'text/html' });
      stream.end('<html>');
    });
    await failure(t, unseal(endpoint, { nodeUuid, data: blob }), code);
  });
}

test('a web page is no answer', async (t) => {
  const endpoint = await rawServer(t, (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'text/html' });
    stream.end('<html>');
  });
  const error = await failure(t, unseal(endpoint, { nodeUuid, data: blob }), 'ERR_KMS_ANSWER');
  t.true(error.message.includes('text/html'));
});

test('a server that never answers is given up', async (t) => {
  const endpoint = await rawServer(t, () => {});
  const error = await failure(
    t,
    unseal(endpoint, { nodeUuid, data: blob }, { timeoutMs: 50 }),
    'ERR_KMS_TIMEOUT',
  );
  t.true(error.message.includes('waiting for the answer'));
});

test('a server that accepts and says nothing is given up, the connection counts', async (t) => {
  const port = await tcpServer(t, () => {});
  const plain = parseEndpoint(`grpc://127.0.0.1:${port}`);
  const tls = parseEndpoint(`grpcs://127.0.0.1:${port}`);
  await failure(t, unseal(plain, { nodeUuid, data: blob }, { timeoutMs: 50 }), 'ERR_KMS_TIMEOUT');
  const error = await failure(t, unseal(tls, { nodeUuid, data: blob }, { timeoutMs: 50 }), 'ERR_KMS_TIMEOUT');
  t.true(error.message.includes('TLS handshake'));
});

test('an answer that comes byte by byte is given up in time', async (t) => {
  const drips: NodeJS.Timeout[] = [];
  t.teardown(() => drips.forEach((timer) => clearInterval(timer)));
  const endpoint = await rawServer(t, (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
    drips.push(setInterval(() => stream.destroyed || stream.write(Buffer.from([0])), 5));
  });
  await failure(t, unseal(endpoint, { nodeUuid, data: blob }, { timeoutMs: 100 }), 'ERR_KMS_TIMEOUT');
});

test('nobody there is unreachable', async (t) => {
  const endpoint = parseEndpoint('grpc://127.0.0.1:1');
  const error = await failure(t, unseal(endpoint, { nodeUuid, data: blob }), 'ERR_KMS_UNREACHABLE');
  t.true(error.message.includes('ECONNREFUSED'));
});

test('a name that does not exist is unreachable', async (t) => {
  const endpoint = parseEndpoint('grpc://nobody.invalid:4050');
  await failure(t, unseal(endpoint, { nodeUuid, data: blob }), 'ERR_KMS_UNREACHABLE');
});

test('a connection that is cut in the middle of a call is unreachable', async (t) => {
  const endpoint = await rawServer(t, (stream) => stream.session?.socket.destroy());
  await failure(t, unseal(endpoint, { nodeUuid, data: blob }), 'ERR_KMS_UNREACHABLE');
});

test('a connection that is reset in the middle of an answer is unreachable', async (t) => {
  const endpoint = await rawServer(t, (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
    stream.write(Buffer.from([0, 0, 0, 0, 34]), () => stream.session?.socket.destroy());
  });
  await failure(t, unseal(endpoint, { nodeUuid, data: blob }), 'ERR_KMS_UNREACHABLE');
});

test('a server that takes no more calls is busy', async (t) => {
  const endpoint = await rawServer(t, (stream) => stream.close(7)); // REFUSED_STREAM
  await failure(t, unseal(endpoint, { nodeUuid, data: blob }), 'ERR_KMS_BUSY');
});

for (const code of [0, 2, 11]) {
  test(`a server that says goodbye with ${code} is asked again later`, async (t) => {
    const endpoint = await rawServer(t, (stream) => {
      stream.session?.goaway(code, 0);
      stream.close(code);
    });
    await failure(t, unseal(endpoint, { nodeUuid, data: blob }), 'ERR_KMS_UNREACHABLE');
  });
}

test('a server that gives a call up has failed', async (t) => {
  const endpoint = await rawServer(t, (stream) => stream.close(2)); // INTERNAL_ERROR
  await failure(t, unseal(endpoint, { nodeUuid, data: blob }), 'ERR_KMS_FAILED');
});

test('something else that speaks there is no key server', async (t) => {
  const port = await tcpServer(t, (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'));
  const request = { nodeUuid, data: blob };
  await failure(t, unseal(parseEndpoint(`grpc://127.0.0.1:${port}`), request), 'ERR_KMS_ANSWER');
  await failure(t, unseal(parseEndpoint(`grpcs://127.0.0.1:${port}`), request), 'ERR_KMS_ANSWER');
});

test('a signal ends a call with its reason, and a call does not begin after it', async (t) => {
  const aborting = new AbortController();
  const reason = new Error('enough');
  const endpoint = await rawServer(t, () => aborting.abort(reason));
  const { signal } = aborting;
  t.is(await t.throwsAsync(unseal(endpoint, { nodeUuid, data: blob }, { signal })), reason);
  t.is(await t.throwsAsync(unseal(endpoint, { nodeUuid, data: blob }, { signal })), reason);
  t.deepEqual(getEventListeners(signal, 'abort'), []);
});

test('only a key of 32 bytes is sealed, for a node that has a name', async (t) => {
  const endpoint = parseEndpoint('grpc://127.0.0.1:1');
  using short = Secret.random(31);
  await t.throwsAsync(seal(endpoint, { nodeUuid, data: short }), { instanceOf: RangeError });
  await t.throwsAsync(seal(endpoint, { nodeUuid: '', data: key }), { instanceOf: TypeError });
});

test('arguments of the wrong kind are named, and never shown', async (t) => {
  const endpoint = parseEndpoint('grpc://127.0.0.1:1');
  const text = 'hunter2';
  const calls: readonly (readonly [RegExp, () => Promise<unknown>])[] = [
    [
      /^endpoint is a text: .*parseEndpoint/,
      () => seal('grpc://127.0.0.1:1' as never, { nodeUuid, data: key }),
    ],
    [/^endpoint is none/, () => unseal(undefined as never, { nodeUuid, data: blob })],
    [/^data is a text: .*Secret\.take/, () => seal(endpoint, { nodeUuid, data: text as never })],
    [/^data is bytes: .*Secret\.take/, () => seal(endpoint, { nodeUuid, data: Buffer.from(text) as never })],
    [/^data is missing/, () => seal(endpoint, { nodeUuid } as never)],
    [/^data is a text/, () => unseal(endpoint, { nodeUuid, data: text as never })],
  ];
  for (const [message, call] of calls) {
    const error = await t.throwsAsync(call(), {
      instanceOf: TypeError,
      code: 'ERR_INVALID_ARG_TYPE',
      message,
    });
    t.false(error.message.includes(text));
  }
});

test('sealed data of an impossible length is not sent', async (t) => {
  const endpoint = parseEndpoint('grpc://127.0.0.1:1');
  for (const size of [0, 65_537])
    await failure(t, unseal(endpoint, { nodeUuid, data: Buffer.alloc(size) }), 'ERR_KMS_ANSWER');
});

test.serial('proxies that the environment names are not used', async (t) => {
  let proxied = 0;
  const port = await tcpServer(t, (socket) => {
    proxied += 1;
    socket.destroy();
  });
  const names = ['http_proxy', 'https_proxy', 'grpc_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];
  for (const name of names) process.env[name] = `http://127.0.0.1:${port}`;
  t.teardown(() => names.forEach((name) => delete process.env[name]));
  const endpoint = await rawServer(t, (stream) => reply(stream, framed(responseOf(key.bytes))));
  using _answer = await unseal(endpoint, { nodeUuid, data: blob });
  t.is(proxied, 0);
});

function settle(endpoint: Endpoint): Promise<unknown> {
  return unseal(endpoint, { nodeUuid, data: blob }, { timeoutMs: 50 }).catch(() => {});
}

function timers(): string[] {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
}

test.serial('nothing is left when a call has ended, however it ended', async (t) => {
  const good = await rawServer(t, (stream) => reply(stream, framed(responseOf(key.bytes))));
  const silent = await rawServer(t, () => {});
  const cut = await rawServer(t, (stream) => stream.session?.socket.destroy());
  const nobody = parseEndpoint('grpc://127.0.0.1:1');
  const silentTls: Endpoint = { ...silent, tls: true };
  await settle(good); // what is loaded at the first call
  const [before, timersBefore] = [openDescriptors(), timers()];
  for (const endpoint of [good, silent, silentTls, cut, nobody]) await settle(endpoint);
  // The other ends of these connections are in this process, and see the end a moment later.
  const isOver = (): boolean => leakedDescriptors(before).length === 0;
  for (let turn = 0; turn < 1000 && !isOver(); turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
  t.deepEqual(leakedDescriptors(before), []);
  t.deepEqual(timers(), timersBefore);
});

import { once } from 'node:events';
import {
  createServer as createHttp2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

import test, { type ExecutionContext } from 'ava';

import { type LentCall, type LentCallAnswer, messagesOf, type MessagesOptions } from '../src/call/index.ts';

type Talk = (stream: ServerHttp2Stream, session: ServerHttp2Session) => void;

async function listening(t: ExecutionContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A call without TLS, and what it has ended with. */
function callTo(port: number, signal = new AbortController().signal) {
  const answers: LentCallAnswer[] = [];
  const call: LentCall = {
    request: { scheme: 'http', authority: `127.0.0.1:${port}`, path: '/x', body: new Uint8Array(5) },
    signal,
    dial: async (onread) => {
      const socket = connect({ port, host: '127.0.0.1', onread });
      await once(socket, 'connect');
      return socket;
    },
    failureOf: (answer) => {
      answers.push(answer);
      return answer.trailers.get('grpc-status') === '0' && answer.isWhole ? undefined : new Error('failed');
    },
    silent: () => new Error('nobody answers'),
  };
  return { call, answers };
}

async function http2Call(t: ExecutionContext, talk: Talk, signal?: AbortSignal) {
  const server = createHttp2Server();
  server.on('stream', (stream) => {
    stream.on('error', () => {}); // the client leaves
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    talk(stream, stream.session as ServerHttp2Session);
  });
  return callTo(await listening(t, server), signal);
}

/** A connection that nobody takes. */
async function dialNobody(_onread: unknown, signal: AbortSignal): Promise<never> {
  await once(signal, 'abort');
  throw signal.reason;
}

/** A message with one byte again and again, as gRPC frames it. */
function framed(bytes: number, fill: number, compressed = 0): Buffer {
  const message = Buffer.alloc(5 + bytes, fill);
  message.writeUInt8(compressed, 0);
  message.writeUInt32BE(bytes, 1);
  return message;
}

/** Length and bytes of messages; something else happens while each is held. */
async function summary(
  call: LentCall,
  meanwhile: () => Promise<unknown> = async () => {},
  options: MessagesOptions = {},
): Promise<readonly (readonly [number, number])[]> {
  const seen: [number, number][] = [];
  for await (const message of messagesOf(call, options)) {
    await meanwhile();
    const values = new Set(message);
    seen.push([message.length, values.size > 1 ? NaN : (message[0] ?? -1)]);
  }
  return seen;
}

test('messages come whole, however they are cut on their way', async (t) => {
  const sizes = [0, 1, 5, 70_000, 3_000_000, 2, 600_000, 600_000, 0];
  const bytes = Buffer.concat(sizes.map((size, index) => framed(size, index + 1)));
  const { call, answers } = await http2Call(t, (stream) => {
    const step = async (): Promise<void> => {
      for (let at = 0, length = 1; at < bytes.length; at += length, length = length * 3 + 1)
        await new Promise((sent) => stream.write(bytes.subarray(at, at + length), sent));
      stream.end();
    };
    void step();
  });
  const expected = sizes.map((size, index) => [size, size === 0 ? -1 : index + 1]);
  t.deepEqual(await summary(call), expected as [number, number][]);
  t.like(answers[0], { isOver: true, isWhole: true, violation: undefined, fault: undefined });
});

test('a message stays as it is while others come, and the node is kept from sending more than the window', async (t) => {
  const streams: ServerHttp2Stream[] = [];
  const count = 40;
  const size = 400_000;
  const { call } = await http2Call(t, (server) => {
    streams.push(server);
    for (let index = 0; index < count; index += 1) server.write(framed(size, index + 1));
    server.end();
  });
  const left: number[] = [];
  const seen = await summary(call, async () => {
    // A ping comes back behind what was sent before it: by then whatever the windows let through is here.
    const [stream] = streams;
    const session = stream?.session;
    for (let pings = left.length === 0 ? 300 : 1; pings > 0; pings -= 1)
      await new Promise((answered) =>
        session?.destroyed === false ? session.ping(() => answered(undefined)) : answered(undefined),
      );
    left.push(stream?.writableLength ?? 0);
  });
  t.deepEqual(
    seen,
    Array.from({ length: count }, (_, index) => [size, index + 1] as const),
  );
  t.true((left[0] ?? 0) > 5 << 20, `${left[0]} bytes wait at the node`);
});

test('what is no message of gRPC ends the call, and nothing of it is handed out', async (t) => {
  const hostile = [
    [framed(10, 1, 1), /compressed/],
    [Buffer.from([0, 0x7f, 0xff, 0xff, 0xff]), /one of 2147483647 bytes/],
  ] as const;
  for (const [bytes, fault] of hostile) {
    const { call, answers } = await http2Call(t, (stream) => stream.end(bytes));
    await t.throwsAsync(summary(call), { message: 'failed' });
    t.regex(answers[0]?.fault ?? '', fault);
  }
  const { call, answers } = await http2Call(t, (stream) => stream.end(framed(10, 1).subarray(0, 12)));
  await t.throwsAsync(summary(call), { message: 'failed' });
  t.like(answers[0], { fault: undefined, isWhole: false });
});

test('a connection that breaks off gives what came before, and then the failure', async (t) => {
  const hangUp = Promise.withResolvers<void>();
  const { call, answers } = await http2Call(t, (stream, session) => {
    stream.write(framed(10, 1));
    void hangUp.promise.then(() => session.destroy());
  });
  const messages = messagesOf(call);
  const { value } = await messages.next();
  t.is((value as Uint8Array).length, 10);
  hangUp.resolve();
  await t.throwsAsync(messages.next(), { message: 'failed' });
  t.is(answers[0]?.trailers.size, 0);
});

test('a node that went without a word is asked, and then given up', async (t) => {
  const types: number[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])); // settings, and nothing ever again
    socket.on('data', (bytes: Buffer) => void (bytes.length === 17 && types.push(bytes.readUInt8(3))));
  });
  const { call, answers } = callTo(await listening(t, server));
  await t.throwsAsync(summary(call, undefined, { silenceMs: 50, patienceMs: 50 }), { message: 'failed' });
  t.like(answers[0], { isOver: false });
  t.deepEqual(types, [6]); // a ping, alone
});

test('a node that is silent and answers pings is left in peace', async (t) => {
  let pings = 0;
  const { call } = await http2Call(t, (stream, session) => {
    session.on('ping', () => {
      pings += 1;
      if (pings === 3) stream.end(framed(3, 1));
    });
  });
  t.deepEqual(await summary(call, undefined, { silenceMs: 10, patienceMs: 60_000 }), [[3, 1]]);
});

test('an abort ends the call with its reason, also while nobody answers', async (t) => {
  const abort = new AbortController();
  const gone = Promise.withResolvers<void>();
  const { call } = await http2Call(
    t,
    (stream) => {
      stream.once('close', gone.resolve);
      abort.abort(new Error('enough'));
    },
    abort.signal,
  );
  await t.throwsAsync(summary(call), { message: 'enough' });
  await gone.promise;

  const { call: never } = callTo(1);
  await t.throwsAsync(summary({ ...never, dial: dialNobody }, undefined, { dialMs: 5 }), {
    message: 'nobody answers',
  });
});

test('leaving the loop ends the call', async (t) => {
  const gone = Promise.withResolvers<void>();
  const { call } = await http2Call(t, (stream) => {
    stream.once('close', gone.resolve);
    stream.write(framed(10, 1));
  });
  for await (const _ of messagesOf(call)) break;
  await gone.promise;
  t.pass();
});

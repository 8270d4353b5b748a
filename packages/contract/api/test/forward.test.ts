import { EventEmitter, once } from 'node:events';
import {
  type ClientHttp2Session,
  connect,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

import test, { type ExecutionContext } from 'ava';

import { forward, type ForwardOptions, type ProxiedCall } from '../src/forward/forward.ts';
import { frame, messages } from '../src/forward/frames.ts';

test('messages come out as they went in, however they are cut', async (t) => {
  const sent = [Buffer.from('one'), Buffer.alloc(0), Buffer.alloc(70_000, 'x'), Buffer.from('last')];
  const bytes = Buffer.concat(sent.map(frame));
  for (const size of [1, 4, 5, 6, 4096, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    if (size === 1) chunks.length = 40; // enough for the small ones
    const got = await Array.fromAsync(messages(Readable.from(chunks), 1 << 20), (each) => Buffer.from(each));
    t.deepEqual(got, size === 1 ? sent.slice(0, 2) : sent, `pieces of ${size}`);
  }
});

test('a message that is too large, or compressed, is not waited for', async (t) => {
  const large = Buffer.from([0, 0, 1, 0, 0]);
  const packed = Buffer.from([1, 0, 0, 0, 1, 0]);
  for (const bytes of [large, packed])
    await t.throwsAsync(Array.fromAsync(messages(Readable.from([bytes]), 1000)), {
      code: 'ERR_FORWARD_MESSAGE',
    });
});

/** A call as gRPC gives it to who passes it on. */
class FakeCall extends EventEmitter {
  readonly answers: Buffer[] = [];
  readonly requests: readonly Buffer[];
  readonly #deadline: number;
  /** Whether it takes more. */
  takes = true;

  constructor(requests: readonly Buffer[], deadline = Infinity) {
    super();
    this.requests = requests;
    this.#deadline = deadline;
  }

  getDeadline(): number {
    return this.#deadline;
  }

  write(answer: Buffer): boolean {
    this.answers.push(Buffer.from(answer));
    return this.takes;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, undefined> {
    yield* this.requests;
  }
}

/** A node that answers its next call so, and a connection to it. */
async function nodeWith(
  t: ExecutionContext,
  answer: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void,
): Promise<ClientHttp2Session> {
  const server = createServer();
  server.on('stream', answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  t.teardown(() => {
    session.destroy();
    server.close();
  });
  await once(session, 'connect');
  return session;
}

const { signal } = new AbortController();
const path = '/nodecore.v1.MachineService/Version';

function pass(session: ClientHttp2Session, call: FakeCall, options: Partial<ForwardOptions> = {}) {
  return forward(session, path, call as unknown as ProxiedCall, { signal, ...options });
}

test('messages, status, words and binary trailers of the node come back; what the caller has left of time goes along', async (t) => {
  let seen: IncomingHttpHeaders = {};
  const session = await nodeWith(t, (stream, headers) => {
    seen = headers;
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () =>
      stream.sendTrailers({ 'grpc-status': '5', 'grpc-message': 'no%20disk', 'why-bin': 'AAEC' }),
    );
    stream.pipe(stream);
  });
  const call = new FakeCall([Buffer.from('one'), Buffer.alloc(100_000, 7)], Date.now() + 5_000);
  const { code, details, metadata } = await pass(session, call, { headers: { who: 'me' } });
  t.deepEqual(call.answers, [Buffer.from('one'), Buffer.alloc(100_000, 7)]);
  t.deepEqual([code, details, metadata.get('why-bin')], [5, 'no disk', [Buffer.from([0, 1, 2])]]);
  const [, left] = /^(\d+)m$/u.exec(String(seen['grpc-timeout'])) ?? [];
  t.true(Number(left) > 0 && Number(left) <= 5_000, left);
  t.is(seen['who'], 'me');
});

test('a node that ends in the middle, without a status, or with what is no message, is no answer', async (t) => {
  for (const [code, answer] of [
    ['ERR_FORWARD_LOST', (stream: ServerHttp2Stream) => stream.close(2)],
    ['ERR_FORWARD_LOST', (stream: ServerHttp2Stream) => stream.session?.destroy()],
    ['ERR_FORWARD_LOST', (stream: ServerHttp2Stream) => (stream.respond({ ':status': 200 }), stream.end())],
    [
      'ERR_FORWARD_MESSAGE',
      (stream: ServerHttp2Stream) => (
        stream.respond({ ':status': 200 }),
        stream.write('HTTP/1.1 400 Bad Request')
      ),
    ],
  ] as const) {
    const session = await nodeWith(t, (stream) => {
      stream.on('error', () => {});
      answer(stream);
    });
    await t.throwsAsync(pass(session, new FakeCall([])), { code });
  }
});

test('a caller that takes nothing stops the node; one that goes ends its call', async (t) => {
  const message = frame(Buffer.alloc(16_000));
  let written = 0;
  const closed = Promise.withResolvers<number>();
  const session = await nodeWith(t, (stream) => {
    stream.on('error', () => {});
    stream.on('close', () => closed.resolve(stream.rstCode));
    stream.respond({ ':status': 200 });
    const more = (): void => {
      do written += message.length;
      while (!stream.destroyed && stream.write(message));
    };
    stream.on('drain', more);
    more();
  });
  const call = new FakeCall([]);
  call.takes = false;
  const leave = new AbortController();
  const passing = pass(session, call, { signal: leave.signal });
  let before = -1;
  while (written !== before || call.answers.length === 0) {
    before = written;
    for (let each = 0; each < 20; each += 1) await new Promise((resolve) => session.ping(resolve));
  }
  t.is(call.answers.length, 1);
  t.true(written < 1 << 20, `${written} bytes on their way`);
  leave.abort();
  await t.throwsAsync(passing);
  t.is(await closed.promise, 8);
});

test('messages with keys are overwritten when the call is over', async (t) => {
  const session = await nodeWith(t, (stream) => {
    stream.respond({ ':status': 200 }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.pipe(stream);
  });
  const secret = Buffer.from('secret');
  const lent: Buffer[] = [];
  class Lender extends FakeCall {
    override write(answer: Buffer): boolean {
      lent.push(answer);
      return super.write(answer);
    }
  }
  const call = new Lender([secret]);
  const gone = once(session, 'close');
  await pass(session, call, { wipes: true });
  session.close();
  await gone;
  t.deepEqual(call.answers, [Buffer.from('secret')]);
  t.deepEqual([secret, ...lent], [Buffer.alloc(6), Buffer.alloc(6)]);
});

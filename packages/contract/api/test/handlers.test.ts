import { once } from 'node:events';

import { Client, credentials, Server, ServerCredentials, type ServiceError, status } from '@grpc/grpc-js';
import { aborted } from '@nodecore/waiting';
import test, { type ExecutionContext } from 'ava';

import { failure } from '../src/index.ts';
import { collectingHandler, type HandlerParts, streamingHandler, unaryHandler } from '../src/handlers.ts';

type Context = { readonly peer: string; readonly signal: AbortSignal };

const asIs = (bytes: Buffer): Buffer => bytes;
const method = (name: string, requestStream: boolean, responseStream: boolean) => ({
  path: `/test.Test/${name}`,
  requestStream,
  responseStream,
  requestSerialize: asIs,
  requestDeserialize: asIs,
  responseSerialize: asIs,
  responseDeserialize: asIs,
});
const service = {
  one: method('One', false, false),
  all: method('All', true, false),
  many: method('Many', false, true),
};

type Methods = {
  readonly one?: (request: Buffer, context: Context) => Promise<Buffer>;
  readonly all?: (requests: AsyncIterable<Buffer>, context: Context) => Promise<Buffer>;
  readonly many?: (request: Buffer, context: Context) => AsyncIterable<Buffer>;
  readonly onSent?: (answer: Buffer) => void;
};

class Refusal extends Error {}

const refuse = async (): Promise<never> => {
  throw new Refusal('nobody asked for this');
};

async function* refuseAll(): AsyncGenerator<Buffer> {
  yield await refuse();
}

/** A server with these methods, and a client of it; both end with the test. */
async function serve(t: ExecutionContext, { one, all, many, onSent }: Methods) {
  const defects: unknown[] = [];
  const stopping = new AbortController();
  const parts: HandlerParts<Context> = {
    contextOf: (call, signal) => ({ peer: call.getPeer(), signal }),
    statusOf: (error) =>
      error instanceof Refusal
        ? { code: status.NOT_FOUND, details: error.message, ...failure(status.NOT_FOUND, error.message) }
        : { code: status.INTERNAL, details: 'internal error' },
    defect: (error) => defects.push(error),
    stopping: stopping.signal,
  };
  const server = new Server();
  server.addService(service, {
    one: unaryHandler(parts, one ?? refuse),
    all: collectingHandler(parts, all ?? refuse),
    many: streamingHandler(parts, many ?? refuseAll, onSent),
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  t.teardown(() => {
    client.close();
    server.forceShutdown();
  });
  type Answered = { readonly error: ServiceError | null; readonly answer: Buffer | undefined };
  const callOne = (request: string): Promise<Answered> =>
    new Promise((resolve) => {
      client.makeUnaryRequest(service.one.path, asIs, asIs, Buffer.from(request), (error, answer) =>
        resolve({ error, answer }),
      );
    });
  const callMany = () => client.makeServerStreamRequest(service.many.path, asIs, asIs, Buffer.from(''));
  return { defects, stopping, client, callOne, callMany };
}

test('an error answers as the server says; of a defect the caller learns nothing, and the server all', async (t) => {
  const defect = new TypeError('the password is hunter2');
  const { callOne, defects } = await serve(t, {
    one: async (request, { peer }) => {
      if (String(request) === 'refuse') await refuse();
      if (String(request) === 'break') throw defect;
      return Buffer.from(peer);
    },
  });
  t.regex(String((await callOne('answer')).answer), /^127\.0\.0\.1:\d+$/u);
  t.like((await callOne('refuse')).error, { code: status.NOT_FOUND, details: 'nobody asked for this' });
  t.deepEqual(defects, []);
  t.like((await callOne('break')).error, { code: status.INTERNAL, details: 'internal error' });
  t.deepEqual(defects, [defect]);
});

test('many requests are read by the method, and answered once', async (t) => {
  const { client } = await serve(t, {
    all: async (requests) => {
      const all: Buffer[] = [];
      for await (const request of requests) all.push(request);
      return Buffer.concat(all);
    },
  });
  const answer = await new Promise((resolve, reject) => {
    const call = client.makeClientStreamRequest(service.all.path, asIs, asIs, (error, value) =>
      error === null ? resolve(String(value)) : reject(error),
    );
    for (const part of ['a', 'b', 'c']) call.write(Buffer.from(part));
    call.end();
  });
  t.is(answer, 'abc');
});

for (const [how, onSent] of [
  ['answers', undefined],
  ['answers that are asked after', () => {}],
] as const)
  test(`${how} are made no faster than the caller reads, and none after it has gone`, async (t) => {
    const ended = Promise.withResolvers<number>();
    let made = 0;
    const { callMany } = await serve(t, {
      many: async function* () {
        try {
          for (; made < 1000; made += 1) yield Buffer.alloc(64 << 10);
        } finally {
          ended.resolve(made);
        }
      },
      ...(onSent && { onSent }),
    });
    const call = callMany();
    call.on('error', () => {}); // it cancels by itself
    await once(call, 'data');
    call.pause();
    let before = -1;
    while (before !== made) {
      before = made;
      for (let turns = 0; turns < 100; turns += 1) await new Promise(setImmediate);
    }
    t.true(made < 200, `${made} answers of 64 KiB for a caller that does not read`);
    call.cancel();
    t.true((await ended.promise) <= made);
  });

test('an answer that is asked after is on its way before the next is made', async (t) => {
  const order: string[] = [];
  const { callMany } = await serve(t, {
    many: async function* () {
      for (const name of ['a', 'b', 'c']) {
        order.push(`make ${name}`);
        yield Buffer.from(name);
      }
    },
    onSent: (answer) => order.push(`sent ${String(answer)}`),
  });
  const got: string[] = [];
  for await (const answer of callMany()) got.push(String(answer));
  t.deepEqual(got, ['a', 'b', 'c']);
  t.deepEqual(order, ['make a', 'sent a', 'make b', 'sent b', 'make c', 'sent c']);
});

test('a server that ends ends its streams, with its reason for their callers', async (t) => {
  const { callMany, stopping, defects } = await serve(t, {
    many: async function* (_, { signal }) {
      yield Buffer.from('begun');
      await aborted(signal);
    },
  });
  const call = callMany();
  call.on('error', () => {}); // it is in the status
  await once(call.resume(), 'data');
  const ended = new Promise((resolve) => call.once('status', resolve));
  stopping.abort(new Refusal('the node goes down'));
  t.like(await ended, { code: status.NOT_FOUND, details: 'the node goes down' });
  t.deepEqual(defects, []);
});

test('a caller that goes ends what is done for it', async (t) => {
  const begun = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const { client } = await serve(t, {
    one: async (request, { signal }) => {
      begun.resolve();
      await aborted(signal);
      gone.resolve();
      return request;
    },
  });
  const call = client.makeUnaryRequest(service.one.path, asIs, asIs, Buffer.from(''), () => {});
  await begun.promise;
  call.cancel();
  await t.notThrowsAsync(gone.promise);
});

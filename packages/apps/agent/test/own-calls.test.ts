import { MachineService } from '@nodecore/api/machine';
import { ProcessService } from '@nodecore/api/process';
import { onAbort } from '@nodecore/waiting';
import test from 'ava';
import { pino } from 'pino';

import { ownCaller } from '../src/server/caller.ts';
import { ServerError } from '../src/server/errors.ts';
import { streaming, unary } from '../src/server/handlers.ts';
import { OwnCalls } from '../src/server/own-calls.ts';
import { servicePart, type ServiceOptions, type ServicePart } from '../src/server/service-part.ts';

type Method = (request: never, context: { readonly signal: AbortSignal }) => never;

function absent(): never {
  throw new ServerError('ERR_SERVER_REQUEST', 'not of this test');
}

/** Calls of os:reader of a node with these methods; all others fail. */
function callsOf(methods: {
  readonly version?: unknown;
  readonly reboot?: unknown;
  readonly processes?: unknown;
}) {
  const { signal } = new AbortController();
  const options = { log: pino({ level: 'silent' }), stopping: signal, closing: signal };
  const services = (made: ServiceOptions): readonly ServicePart[] => {
    const machine = Object.fromEntries(
      Object.keys(MachineService).map((name) => {
        const method = (methods as Readonly<Record<string, unknown>>)[name] ?? absent;
        return [name, unary(made, method as Method)];
      }),
    );
    const processes = streaming(made, (methods.processes ?? absent) as Method);
    return [servicePart(MachineService as never, machine), servicePart(ProcessService, { processes })];
  };
  return new OwnCalls(services, options, ownCaller('test', ['os:reader']));
}

test('a call is answered as over a connection: what either side leaves out has its default', async (t) => {
  const calls = callsOf({ version: async () => ({ hostname: 'a' }) });
  const { hostname, kernel, maintenance } = await calls.unary(MachineService.version, {});
  t.deepEqual([hostname, kernel, maintenance], ['a', '', false]);
  const asked = callsOf({
    processes: async function* (request: unknown) {
      yield { processes: [{ pid: 7 }] };
      yield { complete: true, clockMicros: BigInt((request as { intervalMillis: number }).intervalMillis) };
    },
  });
  const answers = [];
  for await (const answer of asked.stream(ProcessService.processes, {})) answers.push(answer);
  t.deepEqual(
    answers.map(({ complete, clockMicros, processes }) => [complete, clockMicros, processes[0]?.command]),
    [
      [false, 0n, ''],
      [true, 0n, undefined],
    ],
  );
});

test('what the roles do not allow is refused, and its handler is not asked', async (t) => {
  let asked = 0;
  const calls = callsOf({ reboot: async () => ({ asked: (asked += 1) }) });
  await t.throwsAsync(calls.unary(MachineService.reboot, {}), { code: 'ERR_SERVER_DENIED' });
  t.is(asked, 0);
});

test('a failure has the code that a client would have, and a defect says nothing of itself', async (t) => {
  const failing = callsOf({
    version: async () => {
      throw new ServerError('ERR_SERVER_BUSY', 'come back later');
    },
    processes: async function* () {
      yield { complete: true };
      throw new Error('a secret');
    },
  });
  const error = await t.throwsAsync(failing.unary(MachineService.version, {}), {
    message: 'come back later',
  });
  t.like(error, { reason: 'ERR_SERVER_BUSY' });
  const stream = failing.stream(ProcessService.processes, {});
  await stream.next();
  const defect = await t.throwsAsync(stream.next(), { code: 'ERR_API_FAILED' });
  t.is(defect?.message, 'internal error');
});

test('whoever leaves a stream, or gives a call up, ends it; one that is late fails', async (t) => {
  const ended = Promise.withResolvers<void>();
  const endless = callsOf({
    version: (_request: unknown, { signal }: { readonly signal: AbortSignal }) => {
      const { promise, reject } = Promise.withResolvers<never>();
      onAbort(signal, () => reject(new Error('gone')));
      return promise;
    },
    processes: async function* (_request: unknown, { signal }: { readonly signal: AbortSignal }) {
      onAbort(signal, () => ended.resolve());
      for (;;) yield { complete: true };
    },
  });
  for await (const { complete } of endless.stream(ProcessService.processes, {})) {
    t.true(complete);
    break;
  }
  await ended.promise;
  const giving = new AbortController();
  const call = endless.unary(MachineService.version, {}, { signal: giving.signal });
  const reason = new Error('given up');
  giving.abort(reason);
  t.is(await t.throwsAsync(call), reason);
  await t.throwsAsync(endless.unary(MachineService.version, {}, { timeoutMs: 1 }), {
    code: 'ERR_API_TIMEOUT',
  });
});

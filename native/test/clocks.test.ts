import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { askTime, readHardwareClock } from '../src/index.ts';

const packet = Buffer.alloc(48, 7);

/** A server that sends these to who asks; @returns its port. */
async function server(
  t: ExecutionContext,
  answers: (question: Buffer) => readonly Buffer[],
): Promise<number> {
  const socket = createSocket('udp4');
  t.teardown(() => socket.close());
  socket.on('message', (question: Buffer, from: RemoteInfo) => {
    for (const each of answers(question)) socket.send(each, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket.address().port;
}

function answerTo(question: Buffer, mark: number): Buffer {
  const answer = Buffer.alloc(48, mark);
  question.copy(answer, 24, 40, 48);
  return answer;
}

test('the answer is the one to the question; what is made up or too short is passed over', async (t) => {
  const port = await server(t, (question) => [
    Buffer.alloc(48, 1),
    answerTo(question, 2).subarray(0, 47),
    Buffer.alloc(0),
    answerTo(question, 3),
  ]);
  const before = Date.now() * 1000;
  const answer = await askTime({ address: '127.0.0.1', port, packet, patienceMs: 10_000 });
  t.is(answer.packet[0], 3);
  t.true(answer.sentMicros >= before && answer.receivedMicros >= answer.sentMicros);
  t.true(answer.receivedMicros <= (Date.now() + 1) * 1000);
});

test('without an answer it ends with the patience, or with the signal; where nobody listens, at once', async (t) => {
  const port = await server(t, () => []);
  const asked = { address: '127.0.0.1', port, packet };
  await t.throwsAsync(askTime({ ...asked, patienceMs: 60 }), { message: 'recv on 127.0.0.1: ETIMEDOUT' });
  const reason = new Error('enough');
  const signal = AbortSignal.abort(reason);
  t.is(await t.throwsAsync(askTime({ ...asked, patienceMs: 60_000, signal })), reason);
  const control = new AbortController();
  const waiting = askTime({ ...asked, patienceMs: 60_000, signal: control.signal });
  control.abort(reason);
  t.is(await t.throwsAsync(waiting), reason);
  const nobody = createSocket('udp4');
  nobody.bind(0, '127.0.0.1');
  await once(nobody, 'listening');
  const { port: free } = nobody.address();
  await new Promise<void>((resolve) => nobody.close(resolve));
  await t.throwsAsync(askTime({ ...asked, port: free, patienceMs: 60_000 }), { message: /ECONNREFUSED/u });
  await t.throwsAsync(askTime({ ...asked, address: 'localhost', patienceMs: 60 }), { message: /EINVAL/u });
});

test('a file that is no clock is none: of the kernel, of a disk, or not there', async (t) => {
  const file = join(await temporaryDirectory(t), 'ptp0');
  await writeFile(file, '');
  const errnos = await Promise.all(
    ['/dev/null', '/dev/zero', file, '/dev/ptp999'].map(async (path) => {
      const error = await t.throwsAsync(readHardwareClock(path), { code: 'ERR_NATIVE_SYSTEM_CALL' });
      return (error as unknown as { errno: string }).errno;
    }),
  );
  t.deepEqual(errnos, ['ENODEV', 'ENODEV', 'ENODEV', 'ENOENT']);
});

import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

import { temporaryDirectory } from '@nodecore/testkit';
import { fileView, View } from '@nodecore/view';
import test, { type ExecutionContext } from 'ava';

import { sendView } from '../src/http/send-view.ts';

/** More than the sockets of both sides hold. */
const size = 24 << 20;

/** Serves views by their numbers. @returns asks for one; the answer is not read yet. */
async function serving(
  t: ExecutionContext,
  views: readonly View[],
): Promise<(index: number) => Promise<IncomingMessage>> {
  const server = createServer((incoming, outgoing) => {
    const view = views[Number(incoming.url?.slice(1))]!;
    outgoing.writeHead(200, { 'content-length': view.size });
    const range = { start: 0, end: view.size };
    void sendView(view, range, outgoing, { stallMs: 60_000, onFirstByte: () => {} });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return async (index) =>
    await new Promise((resolve, reject) => {
      get({ port, host: '127.0.0.1', path: `/${index}`, agent: false }, resolve).on('error', reject);
    });
}

async function hashOf(answer: IncomingMessage): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of answer) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

test('who takes nothing for a while, and who leaves, have no bytes of others, and others none of theirs', async (t) => {
  const directory = await temporaryDirectory(t);
  const views: View[] = [];
  for (const index of [0, 1, 2, 3]) {
    const path = join(directory, String(index));
    await writeFile(path, Buffer.alloc(size, `${index} of four files, `));
    // Between parts of files lie bytes that nobody lends.
    views.push(View.of(Buffer.from([index]), await fileView(path), { kind: 'hole', size: 300_000 + index }));
  }
  const expected = await Promise.all(
    views.map(async (view) => (await view.digest('sha256')).toString('hex')),
  );
  const ask = await serving(t, views);
  const waiting = await Promise.all([0, 1].map(ask));
  const leaving = await ask(3);
  t.is(await hashOf(await ask(2)), expected[2]!);
  leaving.destroy();
  for (let round = 0; round < 3; round += 1)
    t.deepEqual(
      await Promise.all([2, 3].map(async (index) => await hashOf(await ask(index)))),
      expected.slice(2),
    );
  t.deepEqual(await Promise.all(waiting.map(hashOf)), expected.slice(0, 2));
});

test('many downloads together send as few parts in a turn of the loop as one would', async (t) => {
  let [sent, most] = [0, 0];
  const downloads = Array.from({ length: 64 }, async () => {
    const response = new Writable({
      write: (_chunk, _encoding, done) => {
        sent += 1;
        done();
      },
    });
    const view = View.of({ kind: 'hole', size: 16 << 18 });
    const range = { start: 0, end: view.size };
    await sendView(view, range, response as ServerResponse, { stallMs: 60_000, onFirstByte: () => {} });
  });
  const ended = Promise.all(downloads).then(() => true);
  while (!(await Promise.race([ended, turn(false)]))) {
    most = Math.max(most, sent);
    sent = 0;
  }
  // What is counted here may have the parts of two turns.
  t.true(most > 0 && most <= 8, `${most} parts`);
});

import { once } from 'node:events';
import { performServerHandshake, type ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';

import test, { type ExecutionContext } from 'ava';

import { createLinkIdentity, FleetSession, type LinkLimits, linkLimits, protocol } from '../src/index.ts';
import { provisionMessage } from '../src/provision.ts';
import { facts, fleet, type Fleet, machine, token } from './scene.ts';

/** A machine that answers every stream as it likes. */
async function liar(
  t: ExecutionContext,
  there: Fleet,
  answer: (stream: ServerHttp2Stream, socket: TLSSocket) => unknown,
  limits: Partial<LinkLimits> = {},
): Promise<FleetSession> {
  const socket = await raw(t, there);
  performServerHandshake(socket)
    .on('error', () => {})
    .on('stream', (stream) => {
      stream.on('error', () => {});
      stream.respond({ ':status': 200 });
      answer(stream, socket);
    });
  return await there.session(limits);
}

async function raw(t: ExecutionContext, { port }: Fleet): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: [protocol] });
  socket.on('error', () => {});
  t.teardown(() => socket.destroy());
  await once(socket, 'secureConnect');
  return socket;
}

test('a stolen token does not make another machine of who has it: the key must be its own', async (t) => {
  const there = await fleet(t);
  const [own, other] = [await createLinkIdentity(), await createLinkIdentity()];
  const session = await liar(t, there, async (stream, socket) => {
    const theirs = await provisionMessage(other, token, facts, socket);
    const { proof } = (await provisionMessage(own, undefined, facts, socket)) as { proof: string };
    stream.write(`${JSON.stringify({ ...theirs, proof })}\n`);
  });
  await t.throwsAsync(session.provision(), { code: 'ERR_LINK_PROOF' });
});

test('a Provision message of one connection proves nothing on another', async (t) => {
  const there = await fleet(t);
  const identity = await createLinkIdentity();
  let seen = '';
  const answer = async (stream: ServerHttp2Stream, socket: TLSSocket): Promise<void> => {
    seen ||= JSON.stringify(await provisionMessage(identity, undefined, facts, socket));
    stream.write(`${seen}\n`);
  };
  const first = await liar(t, there, answer);
  await t.notThrowsAsync(first.provision());
  const second = await liar(t, there, answer);
  await t.throwsAsync(second.provision(), { code: 'ERR_LINK_PROOF' });
});

for (const [name, line] of [
  ['no JSON', 'x'],
  ['no object', '[]'],
  ['without a uuid', JSON.stringify({ uuid: 7 })],
  ['with control characters', JSON.stringify({ ...facts, osVersion: '\u001B[2J' })],
] as const)
  test(`a Provision message is refused: ${name}`, async (t) => {
    const there = await fleet(t);
    const session = await liar(t, there, async (stream, socket) => {
      const base = await provisionMessage(await createLinkIdentity(), undefined, facts, socket);
      const text = line.startsWith('{"')
        ? JSON.stringify({ ...base, ...(JSON.parse(line) as object) })
        : line;
      stream.write(`${text}\n`);
    });
    await t.throwsAsync(session.provision(), { code: 'ERR_LINK_PROTOCOL' });
  });

test('a machine that says nothing is not waited for', async (t) => {
  const there = await fleet(t);
  const session = await liar(t, there, () => {}, { answerMs: 50 });
  await t.throwsAsync(session.provision(), { code: 'ERR_LINK_SILENT' });
});

test('a machine that does not begin HTTP/2 is not waited for', async (t) => {
  const there = await fleet(t);
  await raw(t, there);
  await t.throwsAsync(there.session({ answerMs: 50 }), { code: 'ERR_LINK_SILENT' });
});

test('a message without an end is cut off, and the link with it', async (t) => {
  const there = await fleet(t);
  const chunk = Buffer.alloc(16 << 10, 'x');
  const session = await liar(t, there, (stream) => {
    const more = (): void => {
      while (!stream.destroyed && stream.write(chunk));
    };
    stream.on('drain', more);
    more();
  });
  await t.throwsAsync(session.provision(), { code: 'ERR_LINK_TOO_LARGE' });
  await t.throwsAsync(session.logs().next(), { code: 'ERR_LINK_TOO_LARGE' });
  t.regex(await session.closed, /longer than 16384 bytes/u);
});

/** SETTINGS without any; after it the peer is as good as any other, as long as nothing is asked. */
const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);

test('a machine that answers no pings is given up', async (t) => {
  const there = await fleet(t);
  (await raw(t, there)).resume().write(settings);
  const session = await there.session({ heartbeatMs: 20 });
  t.regex(await session.closed, /answers no pings/u);
});

test('a fleet that answers no pings is given up, and dialled again', async (t) => {
  const there = await fleet(t);
  const { states } = await machine(t, there.port, `fleetca=${there.pin}`, { limits: { heartbeatMs: 20 } });
  const socket = await there.socket();
  socket.resume().write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  socket.write(settings);
  t.is((await states.reach('waiting')).code, 'ERR_LINK_SILENT');
  await there.socket();
  await states.reach('connected', 2);
});

test('a fleet has no more streams at once than a machine allows', async (t) => {
  const there = await fleet(t);
  const taken: Duplex[] = [];
  await machine(t, there.port, `fleetca=${there.pin}`, {
    limits: { maxStreams: 2 },
    handlers: { targets: new Map([['node:50000', (stream) => void taken.push(stream.resume())]]) },
  });
  const session = await there.session();
  const first = await session.connect('node:50000');
  await session.connect('node:50000');
  await t.throwsAsync(session.connect('node:50000'), { code: 'ERR_LINK_BUSY' });
  const closed = once(taken[0]!, 'close');
  first.destroy();
  await closed;
  await t.notThrowsAsync(session.connect('node:50000'));
});

test('an answer that is larger than it may be ends nothing but itself', async (t) => {
  const there = await fleet(t);
  const answers: unknown[] = [];
  await machine(t, there.port, `fleetca=${there.pin}`, {
    handlers: { answered: (answer) => (answers.push(answer), Promise.resolve()) },
  });
  const session = await there.session();
  const first = await session.provision();
  await first.answer({ state: 'denied', reason: 'x'.repeat(linkLimits.maxMessageBytes) }).catch(() => {});
  const second = await session.provision();
  await second.answer({ state: 'pending' });
  await second.answer({ state: 'denied', reason: 'no' });
  session.close();
  await session.closed;
  t.false(answers.some((answer) => JSON.stringify(answer).length > linkLimits.maxMessageBytes));
});

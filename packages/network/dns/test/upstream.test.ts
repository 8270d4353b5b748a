import { createSocket } from 'node:dgram';
import { once } from 'node:events';

import { decode } from 'dns-packet';
import test, { type ExecutionContext } from 'ava';

import { plainUpstream } from '@nodecore/dns';
import { answerTo, message, question } from './fixtures/questions.ts';

/** A server that answers each question with these datagrams, in their order. */
async function server(t: ExecutionContext, answers: (query: Buffer) => readonly Buffer[]): Promise<number> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    for (const answer of answers(query)) socket.send(answer, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  return socket.address().port;
}

const record = (data: string): Parameters<typeof answerTo>[1] => [{ type: 'A', name: 'a', ttl: 60, data }];

test('an answer with another id or to another question is passed over', async (t) => {
  const port = await server(t, (query) => {
    const otherId = Buffer.from(query);
    otherId.writeUInt16BE(query.readUInt16BE(0) ^ 1, 0);
    const otherName = question('b', { id: query.readUInt16BE(0) });
    return [
      Buffer.from('xx'),
      query,
      answerTo(otherId, record('10.6.6.6')),
      answerTo(otherName, record('10.6.6.7')),
      answerTo(query, record('10.0.0.1')),
    ];
  });
  await using upstream = plainUpstream({ address: '127.0.0.1', port, protocol: 'Do53' });
  const { bytes } = await upstream.ask(message(question('a', { id: 5 })), AbortSignal.timeout(30_000));
  t.like(decode(bytes), { id: 5, answers: [{ data: '10.0.0.1' }] });
});

test('a question goes out with an id of its own', async (t) => {
  const ids = new Set<number>();
  const port = await server(t, (query) => {
    ids.add(query.readUInt16BE(0));
    return [answerTo(query, record('10.0.0.1'))];
  });
  await using upstream = plainUpstream({ address: '127.0.0.1', port, protocol: 'Do53' });
  for (let i = 0; i < 8; i++)
    await upstream.ask(message(question('a', { id: 5 })), AbortSignal.timeout(30_000));
  t.true(ids.size > 1);
});

test('an address that is a name is refused', (t) => {
  t.throws(() => plainUpstream({ address: 'dns.example', protocol: 'Do53' }), {
    code: 'ERR_DNS_UNREACHABLE',
  });
});

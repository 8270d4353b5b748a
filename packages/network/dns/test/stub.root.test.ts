import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';

import { decode, type Packet, streamDecode, streamEncode } from 'dns-packet';
import test, { type ExecutionContext } from 'ava';

import { checkLoop, Forwarder, plainUpstream, Stub } from '@nodecore/dns';
import { program, testWith } from '@nodecore/testkit';
import { dnsmasq, freePort } from './fixtures/dnsmasq.ts';
import { question } from './fixtures/questions.ts';

const real = testWith(program('dnsmasq'));

async function stub(
  t: ExecutionContext,
  ...ports: readonly number[]
): Promise<{ port: number; forwarder: Forwarder }> {
  const forwarder = new Forwarder({ patienceMs: 1000 });
  const made = await Stub.listen({ address: '127.0.0.1', port: 0 }, forwarder);
  t.teardown(async () => {
    await made[Symbol.asyncDispose]();
    await forwarder[Symbol.asyncDispose]();
  });
  await forwarder.use(ports.map((port) => plainUpstream({ address: '127.0.0.1', port, protocol: 'Do53' })));
  return { port: made.address.port, forwarder };
}

/** Asks as a libc does: one datagram, one answer. */
async function overUdp(port: number, query: Uint8Array): Promise<Buffer> {
  const socket = createSocket('udp4');
  try {
    socket.send(query, port, '127.0.0.1');
    const [answer] = (await once(socket, 'message', { signal: AbortSignal.timeout(30_000) })) as [Buffer];
    return answer;
  } finally {
    socket.close();
  }
}

async function overTcp(port: number, query: Parameters<typeof streamEncode>[0]): Promise<Packet> {
  const socket = connect(port, '127.0.0.1');
  try {
    socket.write(streamEncode(query));
    let bytes = Buffer.alloc(0);
    for (;;) {
      const [chunk] = (await once(socket, 'data', { signal: AbortSignal.timeout(30_000) })) as [Buffer];
      bytes = Buffer.concat([bytes, chunk]);
      if (bytes.length >= 2 && bytes.length >= bytes.readUInt16BE(0) + 2) return streamDecode(bytes);
    }
  } finally {
    socket.destroy();
  }
}

real('a name of a real server is answered, and the second time from the cache', async (t) => {
  const { port, forwarder } = await stub(
    t,
    await dnsmasq(t, '--host-record=node.example,10.1.2.3', '--local-ttl=60'),
  );
  for (const id of [1, 2]) {
    const answer = decode(await overUdp(port, question('Node.Example', { id })));
    t.is(answer.id, id);
    t.like(answer.answers?.[0], { data: '10.1.2.3', ttl: 60 });
  }
  t.deepEqual([forwarder.cache.hits, forwarder.health[0]?.answers], [1, 1]);
});

real('what does not fit into a datagram is fetched over TCP, and cut for who takes no more', async (t) => {
  const texts = Array.from(
    { length: 40 },
    (_, i) => `--txt-record=big.example,${String(i).padStart(3, '0')}${'x'.repeat(200)}`,
  );
  const { port } = await stub(t, await dnsmasq(t, ...texts, '--local-ttl=60'));
  const cut = decode(await overUdp(port, question('big.example', { type: 'TXT' })));
  t.true(cut.flag_tc);
  t.deepEqual(cut.answers, []);
  const whole = await overTcp(port, decode(question('big.example', { type: 'TXT' })));
  t.is(whole.answers?.length, 40);
});

real('the next upstream is asked when one is gone, and the stub survives bytes that are none', async (t) => {
  const gone = await freePort();
  const { port, forwarder } = await stub(t, gone, await dnsmasq(t, '--host-record=node.example,10.1.2.3'));
  const garbage = createSocket('udp4');
  garbage.send(Buffer.from('garbage'), port, '127.0.0.1', () => garbage.close());
  const tcp = connect(port, '127.0.0.1');
  tcp.write(Buffer.from('00050102030405', 'hex'));
  await once(tcp, 'close');
  t.like(decode(await overUdp(port, question('node.example'))).answers?.[0], { data: '10.1.2.3' });
  t.like(forwarder.health[0], { isHealthy: false, lastError: { code: 'ERR_DNS_UNREACHABLE' } });
});

test('two stubs that ask each other end with a failure, however often they ask', async (t) => {
  const [one, other] = [await stub(t), await stub(t)];
  await one.forwarder.use([plainUpstream({ address: '127.0.0.1', port: other.port, protocol: 'Do53' })]);
  await other.forwarder.use([plainUpstream({ address: '127.0.0.1', port: one.port, protocol: 'Do53' })]);
  t.like(decode(await overUdp(one.port, question('a.example'))), { rcode: 'SERVFAIL' });
  t.is(one.forwarder.health[0]?.failures, 1);
});

test('an upstream that is the stub itself is refused', (t) => {
  const stubs = [{ address: '127.0.0.53', port: 53 }];
  t.throws(() => checkLoop([{ address: '127.0.0.53' }], stubs), { code: 'ERR_DNS_LOOP' });
  t.notThrows(() => checkLoop([{ address: '127.0.0.53', port: 5353 }, { address: '10.0.0.1' }], stubs));
});

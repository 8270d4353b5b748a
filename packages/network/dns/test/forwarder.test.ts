import test from 'ava';

import { DnsError, Forwarder, Message, type Upstream } from '@nodecore/dns';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import { answerTo, message, question } from './fixtures/questions.ts';

type Fake = Upstream & { asked: number; closed: number; does: 'answer' | 'fail' | 'hang' | 'refuse' };

function fake(name: string, does: Fake['does'] = 'answer'): Fake {
  return {
    name,
    at: { address: '10.0.0.1', port: 53, protocol: 'Do53' },
    asked: 0,
    closed: 0,
    does,
    ask(query, signal) {
      this.asked++;
      if (this.does === 'fail') return Promise.reject(new DnsError('ERR_DNS_UNREACHABLE', name));
      if (this.does === 'hang')
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      const refused = { flags: 0x185 };
      const records = [{ type: 'TXT', name: 'a', ttl: 60, data: name }] as const;
      const bytes =
        this.does === 'refuse' ? answerTo(query.bytes, [], refused) : answerTo(query.bytes, records);
      return Promise.resolve(new Message(bytes));
    },
    [Symbol.asyncDispose]() {
      this.closed++;
      return Promise.resolve();
    },
  };
}

const ask = (forwarder: Forwarder, name: string): Promise<Buffer> =>
  forwarder.answer(message(question(name)));

test('the first one that answers is asked; one that fails rests, and is asked again later', async (t) => {
  const clock = new FakeClock();
  await using forwarder = new Forwarder({ clock });
  const [one, other] = [fake('one', 'fail'), fake('other')];
  await forwarder.use([one, other]);
  await ask(forwarder, 'a');
  await ask(forwarder, 'b');
  t.deepEqual([one.asked, other.asked], [1, 2]);
  t.like(forwarder.health[0], { isHealthy: false, failures: 1, lastError: { code: 'ERR_DNS_UNREACHABLE' } });
  one.does = 'answer';
  clock.advance(2000);
  await ask(forwarder, 'c');
  t.deepEqual([one.asked, other.asked], [2, 2]);
  t.like(forwarder.health[0], { isHealthy: true, failuresInRow: 0 });
});

test('one that says nothing loses its turn', async (t) => {
  const clock = new FakeClock();
  await using forwarder = new Forwarder({ clock, patienceMs: 500 });
  const [silent, other] = [fake('silent', 'hang'), fake('other')];
  await forwarder.use([silent, other]);
  const answer = ask(forwarder, 'a');
  clock.advance(500);
  t.regex((await answer).toString('latin1'), /other/);
  t.is(forwarder.health[0]?.lastError?.code, 'ERR_DNS_TIMEOUT');
});

test('a refusal is told only when nobody knows more, and is not kept', async (t) => {
  await using forwarder = new Forwarder({ clock: new FakeClock() });
  const [refuses, knows] = [fake('refuses', 'refuse'), fake('knows')];
  await forwarder.use([refuses, knows]);
  t.regex((await ask(forwarder, 'a')).toString('latin1'), /knows/);
  await forwarder.use([refuses]);
  t.is((await ask(forwarder, 'a')).readUInt16BE(2) & 0xf, 5);
  await ask(forwarder, 'a');
  t.is(refuses.asked, 3);
});

test('the same question is asked once, by however many, and each has its own id', async (t) => {
  await using forwarder = new Forwarder({ clock: new FakeClock() });
  const one = fake('one');
  await forwarder.use([one]);
  const answers = await Promise.all([1, 2, 3].map((id) => forwarder.answer(message(question('a', { id })))));
  t.deepEqual(
    answers.map((answer) => answer.readUInt16BE(0)),
    [1, 2, 3],
  );
  t.is(one.asked, 1);
});

test('without anybody to ask there is a failure that says so, and upstreams that go are closed', async (t) => {
  const forwarder = new Forwarder({ clock: new FakeClock() });
  await t.throwsAsync(ask(forwarder, 'a'), { code: 'ERR_DNS_NO_UPSTREAM' });
  const one = fake('one');
  await forwarder.use([one]);
  await ask(forwarder, 'a');
  await forwarder.use([]);
  t.is(one.closed, 1);
  await t.throwsAsync(ask(forwarder, 'a'), { code: 'ERR_DNS_NO_UPSTREAM' }); // its answers went with it
});

import { decode } from 'dns-packet';
import test from 'ava';

import { answerTo, message, question } from './fixtures/questions.ts';

const record = { type: 'A', name: 'a.example', ttl: 300, data: '10.0.0.1' } as const;

test('a question is known by name, type and what it wants, however it is spelled', (t) => {
  const one = message(question('A.Example'));
  t.is(one.key, message(question('a.eXample', { id: 7 })).key);
  t.not(one.key, message(question('a.example', { type: 'AAAA' })).key);
  t.not(one.key, message(question('b.example')).key);
  t.not(one.key, message(question('a.example', { udpBytes: 1232 })).key);
  t.is(one.largestUdp, 512);
  t.is(message(question('a.example', { udpBytes: 1232 })).largestUdp, 1232);
  t.is(message(question('a.example', { udpBytes: 100 })).largestUdp, 512);
});

test('an answer for another gets its id and its spelling, and is older', (t) => {
  const answer = message(answerTo(question('a.example'), [record]));
  const told = decode(answer.answerTo(message(question('A.EXAMPLE', { id: 9 })), 100));
  t.is(told.id, 9);
  t.is(told.questions?.[0]?.name, 'A.EXAMPLE');
  t.like(told.answers?.[0], { ttl: 200, data: '10.0.0.1' });
});

const lifetime = (answers: Parameters<typeof answerTo>[1], extra = {}): number =>
  message(answerTo(question('a.example'), answers, extra)).lifetimeS;

test('an answer is kept as long as its shortest record says, and one of nothing as long as its zone says', (t) => {
  t.is(lifetime([record, { ...record, ttl: 20 }]), 20);
  t.is(lifetime([{ ...record, ttl: 0 }]), 0);
  const soa = { mname: 'ns', rname: 'me', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 60 };
  const authorities = [{ type: 'SOA', name: 'example', ttl: 900, data: soa }];
  t.is(lifetime([], { authorities, flags: 0x183 }), 60);
  t.is(lifetime([], { flags: 0x183 }), 0);
  t.is(lifetime([record], { flags: 0x182 }), 0); // SERVFAIL
  t.is(lifetime([record], { flags: 0x380 }), 0); // cut
});

test('a failure and a cut answer repeat the question and nothing else', (t) => {
  const failed = decode(message(question('a.example', { udpBytes: 1232 })).answerWith(2));
  t.like(failed, { id: 0x1234, type: 'response', rcode: 'SERVFAIL', flag_rd: true, flag_ra: true });
  t.deepEqual([failed.questions?.length, failed.additionals], [1, []]);
  t.true(decode(message(question('a.example')).answerWith(0, { truncated: true })).flag_tc);
});

test('bytes that are no message are refused, and never followed in a circle', (t) => {
  const whole = answerTo(question('a.example'), [record]);
  for (let length = 0; length < whole.length; length++)
    t.throws(() => message(whole.subarray(0, length)), { code: 'ERR_DNS_MESSAGE' }, `${length}`);
  const head = Buffer.from('123401000001000000000000', 'hex');
  const hostile = [
    Buffer.concat([head, Buffer.from('c00c00010001', 'hex')]), // a question that points to itself
    Buffer.concat([head, Buffer.from(`${`3f${'61'.repeat(63)}`.repeat(5)}0000010001`, 'hex')]), // a name of 320 bytes
    Buffer.concat([head, Buffer.from('8000010001', 'hex')]), // a label of no known form
    Buffer.concat([Buffer.from('123401000002000000000000', 'hex'), Buffer.from('0000010001', 'hex')]),
  ];
  for (const bytes of hostile)
    t.throws(() => message(bytes), { code: 'ERR_DNS_MESSAGE' }, bytes.toString('hex'));
  // A record whose name points to itself is stepped over: nobody follows it.
  const circle = Buffer.from('12348180000100010000000001610000010001c017000100010000003c00040a000001', 'hex');
  t.is(message(circle).lifetimeS, 60);
});

import { X509Certificate } from 'node:crypto';

import { parse } from '@nodecore/config';
import test from 'ava';

import { Certificates, checkAuthority } from '../src/certificates.ts';
import type { ServerCredentials } from '../src/server/credentials.ts';
import { authority, rootDocument } from './documents.ts';
import { FakeClock } from './fake-clock.ts';

const hour = 3_600_000;
const ca = await authority();

function setUp() {
  const clock = new FakeClock();
  const serials: string[] = [];
  const used: ServerCredentials[] = [];
  const use = (credentials: ServerCredentials): void => {
    credentials.key.bytes.at(0); // readable while it is put to use
    used.push(credentials);
    serials.push(new X509Certificate(credentials.crt).serialNumber);
  };
  return { clock, serials, used, certificates: new Certificates({ use }, clock) };
}

async function pass(clock: FakeClock, ms: number): Promise<void> {
  while (clock.sleepers === 0) await new Promise(setImmediate);
  clock.advance(ms);
  while (clock.sleepers === 0) await new Promise(setImmediate);
}

test('a certificate is renewed after half its life, and when the clock was set back', async (t) => {
  const { clock, serials, certificates } = setUp();
  const stop = new AbortController();
  const running = certificates.run(stop.signal).catch(() => {});
  await pass(clock, hour);
  t.is(serials.length, 0, 'without a configuration there is nothing to renew');
  await certificates.use(parse(rootDocument(ca)));
  await pass(clock, 11 * hour);
  t.is(serials.length, 1);
  await pass(clock, 2 * hour);
  t.is(serials.length, 2);
  t.is(new Set(serials).size, 2);
  clock.setBack(48 * hour);
  await pass(clock, hour);
  t.is(serials.length, 3);
  stop.abort();
  await running;
});

test('the key of a certificate is wiped as soon as it is in use', async (t) => {
  const { used, certificates } = setUp();
  await certificates.use(parse(rootDocument(ca)));
  t.throws(() => used[0]?.key.bytes, { instanceOf: TypeError });
  t.deepEqual(used[0]?.clientAuthorities, [ca.crt]);
});

test('an authority that can issue passes', async (t) => {
  await t.notThrowsAsync(checkAuthority(parse(rootDocument(ca))));
});

import { X509Certificate } from 'node:crypto';

import { parse } from '@nodecore/config';
import { Runtime } from '@nodecore/runtime';
import { memoryState } from '@nodecore/state';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { Certificates, certificatesController, checkAuthority } from '../src/certificates/certificates.ts';
import type { ApplyError } from '../src/configuration/errors.ts';
import type { ServerCredentials } from '../src/server/credentials.ts';
import { NodeIdentity } from '../src/keys/node-identity.ts';
import { authority, rootDocument } from './documents.ts';
import { noSigner } from './no-signer.ts';
import { workerConfiguration, workerText } from './signing-node.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';

const hour = 3_600_000;
const uuid = '6a1ba0d8-0b0c-4ed4-b4a2-8f1a5d5b3b6e';
const ca = await authority();

const machineUuid = (): string => uuid;

const ownNames = (): readonly string[] => ['10.0.0.1'];

function setUp(clock: FakeClock, names = ownNames) {
  const serials: string[] = [];
  const used: ServerCredentials[] = [];
  const use = (credentials: ServerCredentials): void => {
    credentials.key.bytes.at(0); // readable while it is put to use
    used.push(credentials);
    serials.push(new X509Certificate(credentials.crt).serialNumber);
  };
  const identity = new NodeIdentity();
  const certificates = new Certificates({
    ...noSigner,
    server: { use },
    identity,
    machineUuid,
    clock,
    log: pino({ level: 'silent' }),
    names,
  });
  return { serials, used, identity, certificates };
}

/** Has the controller run until the test ends. */
function keepRenewed(t: ExecutionContext, certificates: Certificates, clock: FakeClock): void {
  const stopping = new AbortController();
  const runtime = new Runtime({ state: memoryState(), clock });
  runtime.register(certificatesController(certificates));
  const running = runtime.run(stopping.signal);
  t.teardown(async () => {
    stopping.abort();
    await running;
  });
}

async function pass(clock: FakeClock, ms: number): Promise<void> {
  while (clock.sleepers === 0) await new Promise(setImmediate);
  clock.advance(ms);
  while (clock.sleepers === 0) await new Promise(setImmediate);
}

test('a certificate is renewed after half its life, and when the clock was set back', async (t) => {
  const clock = new FakeClock();
  const { serials, certificates } = setUp(clock);
  keepRenewed(t, certificates, clock);
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
});

test('a node that is called otherwise has a certificate that says so at the next look', async (t) => {
  const clock = new FakeClock();
  let names = ['10.0.0.1'];
  const { serials, used, certificates } = setUp(clock, () => names);
  keepRenewed(t, certificates, clock);
  await certificates.use(parse(rootDocument(ca)));
  await pass(clock, 60_000);
  t.is(serials.length, 1);
  names = ['10.0.0.1', '10.0.0.2'];
  await pass(clock, 60_000);
  t.is(serials.length, 2);
  t.regex(new X509Certificate(used[1]?.crt ?? '').subjectAltName ?? '', /10\.0\.0\.2/u);
});

test('the key of a certificate is wiped as soon as it is in use', async (t) => {
  const { used, certificates } = setUp(new FakeClock());
  await certificates.use(parse(rootDocument(ca)));
  t.throws(() => used[0]?.key.bytes, { instanceOf: TypeError });
  t.deepEqual(used[0]?.clientAuthorities, [ca.crt]);
});

test('an authority that can issue passes', async (t) => {
  await t.notThrowsAsync(checkAuthority(parse(rootDocument(ca))));
});

test('a worker that nobody could sign for, or that has the key of the cluster, is refused with the field', async (t) => {
  const fields = { token: 'machine.token', endpoint: 'cluster.controlPlane.endpoint' };
  await t.notThrowsAsync(checkAuthority(workerConfiguration(ca)));
  const refused = async (text: string, path: string): Promise<void> => {
    using configuration = parse(text);
    const error = await t.throwsAsync<ApplyError>(checkAuthority(configuration), {
      code: 'ERR_APPLY_REFUSED',
    });
    t.is(error?.problems[0]?.path, path);
  };
  await refused(workerText(ca, { machineToken: 'short' }), fields.token);
  await refused(workerText(ca).replace(/"cluster":\{.*\}\}/u, '"cluster":{}}'), fields.endpoint);
  await refused(rootDocument(ca).replace('controlplane', 'worker'), 'machine.ca.key');
});

test('to key servers the node is its UUID, renewed like its server certificate', async (t) => {
  const clock = new FakeClock();
  const { identity, certificates } = setUp(clock);
  t.is(identity.current, undefined);
  keepRenewed(t, certificates, clock);
  await certificates.use(parse(rootDocument(ca)));
  const first = identity.current;
  t.regex(new X509Certificate(first?.certificate ?? '').subjectAltName ?? '', new RegExp(`urn:uuid:${uuid}`));
  await pass(clock, 13 * hour);
  t.not(identity.current?.certificate, first?.certificate);
  t.true((first?.key.sizeBytes ?? 0) > 0, 'a call that is under way may still read it');
  identity[Symbol.dispose]();
  t.throws(() => first?.key.bytes, { instanceOf: TypeError });
});

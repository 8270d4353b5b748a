import { readFile, stat, writeFile } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { once } from 'node:events';

import { SecurityService } from '@nodecore/api/security';
import * as pki from '@nodecore/pki';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';

import { requestCertificate } from '../src/certificates/request-certificate.ts';
import { signerName } from '../src/signing/names.ts';
import { signingLimits } from '../src/signing/signing-server.ts';
import { authority } from './documents.ts';
import { controlPlane, token, uuid, worker, workerConfiguration } from './signing-node.ts';

const ca = await authority();
const hour = 3_600_000;
/** Nobody listens there. */
const silentPort = 1;

test('a worker shows a throw-away certificate at once, and then the one that a control plane has signed', async (t) => {
  const { port, lines } = await controlPlane(t, ca);
  const node = await worker(t, { port });
  t.is(node.certificates.status, undefined);
  await node.certificates.use(workerConfiguration(ca));
  t.deepEqual(node.clients(), [ca.crt], 'nobody is let in without a certificate');
  t.false(node.shown().checkIssued(pki.readCertificate(ca.crt)));
  t.is(await node.renew(), undefined);
  t.true(node.shown().verify(pki.readCertificate(ca.crt).publicKey));
  t.is(node.shown().subjectAltName, 'DNS:worker, IP Address:10.0.0.7');
  t.regex(node.identity.current?.certificate ?? '', /BEGIN CERTIFICATE/u);
  t.like(node.certificates.status, { signedBy: 'controlPlane', reason: '' });
  t.is(await node.renew(), undefined);
  t.is(lines.filter((line) => line.includes('sign-certificate')).length, 1, 'it asks once');
  const said = [...lines, ...node.lines].join('\n');
  t.false(said.includes(token) || said.includes('PRIVATE'), 'no secret is said');
});

test('it is kept: a node that starts while no control plane is there goes on with it, and says what it waits for', async (t) => {
  const signer = await controlPlane(t, ca);
  const first = await worker(t, { port: signer.port });
  await first.certificates.use(workerConfiguration(ca));
  await first.renew();
  t.is((await stat(first.file)).mode & 0o777, 0o600);
  const again = await worker(t, { port: silentPort, path: first.file });
  await again.certificates.use(workerConfiguration(ca));
  t.is(again.shown().fingerprint256, first.shown().fingerprint256);
  t.is(again.identity.current?.certificate, first.identity.current?.certificate);
  t.true(Number(await again.renew()) > 0);
  t.regex(again.certificates.status?.reason ?? '', /^control plane 127\.0\.0\.1:1: /u);
  t.is(again.shown().fingerprint256, first.shown().fingerprint256);
  const key = again.shown().publicKey.export({ format: 'pem', type: 'spki' });
  const back = await worker(t, { port: signer.port, path: first.file });
  await back.certificates.use(workerConfiguration(ca));
  t.is(await back.renew(), undefined);
  t.not(back.shown().fingerprint256, first.shown().fingerprint256);
  t.is(back.shown().publicKey.export({ format: 'pem', type: 'spki' }), key, 'the node stays who it was');
});

test('what lies in its place and is none is told of, and another one is asked for', async (t) => {
  const { port } = await controlPlane(t, ca);
  const first = await worker(t, { port });
  await first.certificates.use(workerConfiguration(ca));
  await first.renew();
  const kept = await readFile(first.file, 'utf8');
  const keyAt = kept.indexOf('-----BEGIN PRIVATE');
  using other = await pki.generateKey();
  for (const [what, text] of [
    ['half of it', kept.slice(0, keyAt + 40)],
    ['no certificate', kept.slice(keyAt)],
    ['the key of another', kept.slice(0, keyAt) + other.bytes.toString()],
    ['nothing', ''],
  ] as const) {
    await writeFile(first.file, text);
    const node = await worker(t, { port, path: first.file });
    await node.certificates.use(workerConfiguration(ca));
    t.false(node.shown().checkIssued(pki.readCertificate(ca.crt)), what);
    t.true(
      node.lines.some((line) => line.includes('can not be used')),
      what,
    );
    t.is(await node.renew(), undefined, what);
    t.true(node.shown().checkIssued(pki.readCertificate(ca.crt)), what);
    t.false(node.lines.join('').includes('PRIVATE'), what);
  }
});

test('of a cluster that the node was in before it shows nothing', async (t) => {
  const { port } = await controlPlane(t, ca);
  const node = await worker(t, { port });
  await node.certificates.use(workerConfiguration(ca));
  await node.renew();
  await node.certificates.use(workerConfiguration(await authority()));
  t.false(node.shown().checkIssued(pki.readCertificate(ca.crt)));
  t.is(node.identity.current, undefined);
});

test('it is asked for again after half its life, when the node is called otherwise, and while it can not be had, too', async (t) => {
  const clock = new FakeClock(Date.now());
  const signer = await controlPlane(t, ca, { clock });
  const names = ['10.0.0.7'];
  let isThere = true;
  const node = await worker(t, {
    port: signer.port,
    names,
    clock,
    ask: (wish, signal) => requestCertificate(isThere ? wish : { ...wish, port: silentPort }, signal),
  });
  await node.certificates.use(workerConfiguration(ca));
  await node.renew();
  const serial = (): string => node.shown().serialNumber;
  const first = serial();
  clock.advance(9 * hour);
  await node.renew();
  t.is(serial(), first);
  names.push('10.0.0.8');
  await node.renew();
  t.regex(node.shown().subjectAltName ?? '', /10\.0\.0\.8/u);
  const second = serial();
  isThere = false;
  clock.advance(13 * hour);
  const delays: number[] = [];
  for (let tries = 0; tries < 8; tries += 1) delays.push(Number(await node.renew()));
  t.deepEqual(delays, [750, 1500, 3000, 6000, 12_000, 24_000, 45_000, 45_000]);
  t.is(serial(), second, 'what is there is shown for as long as it is valid, and longer');
  isThere = true;
  t.is(await node.renew(), undefined);
  t.not(serial(), second);
  t.is(node.certificates.status?.reason, '');
});

test('a server of the cluster that is no signer, and a signer of another cluster, are not asked', async (t) => {
  const node = await worker(t, { port: (await controlPlane(t, await authority())).port });
  await node.certificates.use(workerConfiguration(ca));
  t.true(Number(await node.renew()) > 0);
  t.regex(
    node.certificates.status?.reason ?? '',
    /^control plane 127\.0\.0\.1:\d+: .*(?:self-signed|certificate|issuer)/u,
  );
  // What a worker got for itself makes it no signer.
  const honest = await controlPlane(t, ca);
  const member = await worker(t, { port: honest.port });
  await member.certificates.use(workerConfiguration(ca));
  await member.renew();
  t.falsy(member.shown().checkHost(signerName));
});

test('a control plane with another token refuses, and the reason says which field it is', async (t) => {
  const { port, lines } = await controlPlane(t, ca);
  const node = await worker(t, { port });
  await node.certificates.use(workerConfiguration(ca, { machineToken: 'zyxwvu.fedcba9876543210' }));
  t.true(Number(await node.renew()) > 0);
  t.regex(
    node.certificates.status?.reason ?? '',
    /machine\.token of the caller is not that of this cluster/u,
  );
  t.true(
    lines.some((line) => line.includes('ERR_SIGNING_PROOF')),
    'the audit has it',
  );
  t.false([...lines, ...node.lines].join('').includes('zyxwvu'));
});

test('what a signer gives has to be for the own key and valid by the own clock', async (t) => {
  const { port } = await controlPlane(t, ca);
  const early = new FakeClock(Date.now() - 3 * hour);
  const node = await worker(t, { port, clock: early });
  await node.certificates.use(workerConfiguration(ca));
  t.true(Number(await node.renew()) > 0);
  t.regex(node.certificates.status?.reason ?? '', /begins on .*: the clocks of the two differ/u);
  const late = await worker(t, { port, clock: new FakeClock(Date.now() + 48 * hour) });
  await late.certificates.use(workerConfiguration(ca));
  t.true(Number(await late.renew()) > 0);
  t.regex(late.certificates.status?.reason ?? '', /ended on .*: the clocks of the two differ/u);
});

test('while authorities change, a worker has its certificate by the new one as soon as a control plane gives it', async (t) => {
  const next = await authority();
  const [old, fresh] = [await controlPlane(t, ca), await controlPlane(t, next)];
  let port = old.port;
  const node = await worker(t, {
    port,
    ask: (wish, signal) => requestCertificate({ ...wish, port }, signal),
  });
  await node.certificates.use(workerConfiguration(ca));
  await node.renew();
  const before = node.shown().serialNumber;
  await node.certificates.use(workerConfiguration(next, { accepted: [ca] }));
  t.is(node.shown().serialNumber, before, 'it is shown until there is another one');
  t.deepEqual(node.clients(), [next.crt, ca.crt]);
  t.true(Number(await node.renew()) > 0);
  t.is(node.certificates.status?.reason, 'the control plane does not sign with machine.ca yet');
  port = fresh.port;
  t.is(await node.renew(), undefined);
  t.true(node.shown().verify(pki.readCertificate(next.crt).publicKey));
});

test('a configuration that comes while a control plane is asked decides: the answer to the one before is dropped', async (t) => {
  const { port } = await controlPlane(t, ca);
  const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const node = await worker(t, {
    port,
    ask: async (wish, signal) => {
      try {
        return await requestCertificate(wish, signal);
      } finally {
        asked.resolve();
        await go.promise;
      }
    },
  });
  await node.certificates.use(workerConfiguration(ca));
  const renewing = node.renew();
  await asked.promise;
  await node.certificates.use(workerConfiguration(await authority()));
  go.resolve();
  t.is(await renewing, 0);
  t.false(node.shown().checkIssued(pki.readCertificate(ca.crt)));
});

test('of several addresses of a control plane one that answers is enough', async (t) => {
  const { port } = await controlPlane(t, ca); // 127.0.0.1 alone; nobody listens at ::1
  const node = await worker(t, { port });
  await node.certificates.use(workerConfiguration(ca, { endpoint: 'https://localhost:6443' }));
  t.is(await node.renew(), undefined);
});

/** Control planes at these addresses sign at this port; nobody listens at others. */
function reachable(port: number, hosts: readonly string[], asked: string[] = []): typeof requestCertificate {
  return async (wish, signal) => {
    asked.push(wish.host);
    const there = hosts.includes(wish.host) ? port : silentPort;
    return await requestCertificate({ ...wish, host: '127.0.0.1', port: there }, signal);
  };
}

test('a worker whose endpoint is gone asks the control planes that it was told of, also after a start, and says whom it asked and why each did not sign', async (t) => {
  const told = ['10.0.0.1', 'fd00:0::2', '127.0.0.1', 'not an address', '10.0.0.1', '0.0.0.0'];
  const { port } = await controlPlane(t, ca, { signers: () => told });
  const [hosts, asked, clock]: [string[], string[], FakeClock] = [['plane'], [], new FakeClock(Date.now())];
  const ask = reachable(port, hosts, asked);
  const first = await worker(t, { port, clock, ask });
  const configuration = (): ReturnType<typeof workerConfiguration> =>
    workerConfiguration(ca, { endpoint: 'https://plane:6443' });
  await first.certificates.use(configuration());
  t.is(await first.renew(), undefined);
  t.deepEqual(first.certificates.status?.asked, [{ host: 'plane', from: 'endpoint', reason: '' }]);
  t.regex(await readFile(first.file, 'utf8'), /^# control planes: 10\.0\.0\.1 fd00::2\n-----BEGIN/u);

  const again = await worker(t, { port, clock, ask, path: first.file });
  await again.certificates.use(configuration());
  [hosts[0], asked.length] = ['[fd00::2]', 0];
  t.is(await again.renew(), undefined);
  t.deepEqual(asked, ['plane', '10.0.0.1', '[fd00::2]']);
  t.deepEqual(
    again.certificates.status?.asked.map(({ host, from, reason }) => [host, from, reason !== '']),
    [
      ['plane', 'endpoint', true],
      ['10.0.0.1', 'controlPlane', true],
      ['[fd00::2]', 'controlPlane', false],
    ],
  );
  t.is(again.certificates.status?.reason, '', 'it has what it wanted');
  hosts.length = 0;
  clock.advance(13 * hour);
  t.true(Number(await again.renew()) > 0);
  t.is(again.certificates.status?.reason.match(/control plane /gu)?.length, 3);
});

test('a configuration that comes while one control plane does not answer leaves the others in peace', async (t) => {
  const { port } = await controlPlane(t, ca, { signers: () => ['10.0.0.1'] });
  const [hosts, asked, clock]: [string[], string[], FakeClock] = [
    ['127.0.0.1'],
    [],
    new FakeClock(Date.now()),
  ];
  const ask = reachable(port, hosts, asked);
  const [gone, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const node = await worker(t, {
    port,
    clock,
    ask: async (wish, signal) => {
      if (hosts.length > 0) return await ask(wish, signal);
      try {
        return await ask(wish, signal);
      } finally {
        gone.resolve();
        await go.promise;
      }
    },
  });
  await node.certificates.use(workerConfiguration(ca));
  await node.renew();
  clock.advance(13 * hour);
  [hosts.length, asked.length] = [0, 0];
  const renewing = node.renew();
  await gone.promise;
  await node.certificates.use(workerConfiguration(await authority()));
  go.resolve();
  t.is(await renewing, 0);
  t.deepEqual(asked, ['127.0.0.1'], 'with the token of before nobody else is asked');
});

test('the port of the signer ends who is silent, and refuses what is too large', async (t) => {
  const { handshakes } = signingLimits;
  const impatient = await controlPlane(t, ca, {
    limits: { ...signingLimits, handshakes: { ...handshakes, deadlineMs: 50 } },
  });
  const silent = connectTcp(impatient.port, '127.0.0.1');
  silent.on('error', () => {});
  await once(silent, 'close');
  t.true(impatient.lines.some((line) => line.includes('handshake failed')));
  const { port, authority: signing } = await controlPlane(t, ca);
  const names = Array.from({ length: 20_000 }, (_, index) => `10.1.${index >> 8}.${index & 255}`);
  const wish = { host: '127.0.0.1', port, authorities: [ca.crt], uuid, key: undefined, nowMs: Date.now() };
  const asked = requestCertificate({ ...wish, names, token: signing.token }, new AbortController().signal);
  await t.throwsAsync(asked, { code: 'ERR_SIGNING_ANSWER', message: /larger than max/u });
});

test('a call whose request never comes whole is ended', async (t) => {
  const { calls } = signingLimits;
  const { port } = await controlPlane(t, ca, {
    limits: { ...signingLimits, calls: { ...calls, requestMs: 20 } },
  });
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: ca.crt, servername: signerName });
  t.teardown(() => session.destroy());
  const call = session.request({
    ':method': 'POST',
    ':path': SecurityService.certificate.path,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  call.write(Buffer.of(0, 0, 0, 1, 0, 1)); // one byte of 256
  const [headers] = (await once(call, 'response')) as [Record<string, string>];
  t.is(headers['grpc-status'], '4', 'DEADLINE_EXCEEDED');
});

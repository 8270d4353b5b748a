import { X509Certificate } from 'node:crypto';

import * as pki from '@nodecore/pki';
import { Secret } from '@nodecore/sys';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import test from 'ava';

import { kvstoreAddresses } from '../src/signing/control-plane-names.ts';
import { Signer } from '../src/signing/signer.ts';
import { signerName } from '../src/signing/names.ts';
import { proofOf } from '../src/signing/proof.ts';
import { authority } from './documents.ts';
import { bareCsr, request, token, uuid } from './signing-node.ts';

const ca = await authority();
const hour = 3_600_000;
const rates = { all: { burst: 1000, perSecond: 1 }, address: { burst: 1000, perSecond: 1 } };

function signerOf(
  clock = new FakeClock(Date.now()),
  more: Partial<ConstructorParameters<typeof Signer>[0]> = {},
): Signer {
  const signing = { ca, token: Secret.take(Buffer.from(token)) };
  return new Signer({
    authority: () => signing,
    controlPlanes: async () => ['10.0.0.1', 'cp'],
    signers: () => [],
    clock,
    rates,
    ...more,
  });
}

function namesOf(crt: string | undefined): readonly string[] {
  const text = new X509Certificate(crt ?? '').subjectAltName ?? '';
  return text.split(', ').map((name) => name.replace(/^(?:DNS|IP Address|URI):/u, ''));
}

/** The request with another last byte of its signature. */
function withLastByte(pem: string): string {
  const der = Buffer.from(pem.replaceAll(/-----[A-Z ]+-----|\n/gu, ''), 'base64');
  der.writeUInt8(der.at(-1)! ^ 1, der.byteLength - 1);
  return `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
}

test('a worker gets a server certificate for its names, and one that says which machine it is', async (t) => {
  const csr = await bareCsr();
  const { response } = await signerOf().sign(
    await request({
      csr,
      names: ['localhost', 'Worker.Example', '10.0.0.7', 'fd00:0::7', '127.0.0.1'],
      uuid,
    }),
    '10.0.0.7',
  );
  const server = new X509Certificate(response.serverCertificate ?? '');
  t.deepEqual(namesOf(response.serverCertificate), [
    'worker.example',
    '10.0.0.7',
    'FD00:0:0:0:0:0:0:7',
    'localhost',
    '127.0.0.1',
  ]);
  t.deepEqual(server.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  t.false(server.ca);
  t.false(server.subject.includes('O='));
  t.true(server.validToDate.getTime() - Date.now() <= 24 * hour);
  t.true(server.verify(new X509Certificate(ca.crt).publicKey));
  const node = new X509Certificate(response.nodeCertificate ?? '');
  t.deepEqual(namesOf(response.nodeCertificate), [`urn:uuid:${uuid}`]);
  t.deepEqual(node.keyUsage, ['1.3.6.1.5.5.7.3.2']);
  t.false(node.subject.includes('O='), 'a role would open nodes');
  t.is(pki.fingerprint(response.serverCertificate ?? ''), await pki.bareRequestKey(csr));
  t.deepEqual(response.withheld, []);
});

test('who does not have the token of this cluster gets nothing, and nothing of the request is read', async (t) => {
  const signer = signerOf();
  const terms = { csr: await bareCsr(), names: ['10.0.0.7'], uuid };
  const proven = await request(terms);
  const changed = await request({ ...terms, names: ['10.0.0.8'] });
  for (const [why, wrong] of [
    ['the token of another cluster', await request(terms, 'zyxwvu.fedcba9876543210')],
    ['a proof of other terms', { terms: changed.terms, proof: proven.proof }],
    ['no proof', { ...proven, proof: Buffer.alloc(0) }],
    ['a shorter proof', { ...proven, proof: proven.proof.subarray(0, 16) }],
    ['the token itself', { ...proven, proof: Buffer.from(token) }],
    ['no request', { terms: Buffer.alloc(0), proof: Buffer.alloc(32) }],
  ] as const)
    await t.throwsAsync(signer.sign(wrong, '10.0.0.7'), { code: 'ERR_SIGNING_PROOF' }, why);
  await signer.sign(proven, '10.0.0.7');
  t.deepEqual(Object.fromEntries(signer.outcomes.counts), { signed: 1, proof: 6 });
});

test('a request that asks for more than a key and names is refused, and says what is wrong', async (t) => {
  const signer = signerOf();
  using key = await pki.generateKey();
  const refused = async (terms: Parameters<typeof request>[0], message: RegExp): Promise<void> => {
    const asked = { names: ['10.0.0.7'], uuid, ...terms };
    await t.throwsAsync(signer.sign(await request(asked), '10.0.0.7'), {
      code: 'ERR_SIGNING_REQUEST',
      message,
    });
  };
  await refused({ csr: await pki.createCSR(key, { roles: ['os:admin'] }) }, /^csr: .*subject/u);
  await refused({ csr: await pki.createCSR(key, { names: ['10.0.0.1'] }) }, /^csr: .*extensions/u);
  await refused({ csr: 'nothing' }, /^csr: not a certificate request/u);
  await refused({ csr: withLastByte(await bareCsr()) }, /^csr: the signature/u);
  const csr = await bareCsr();
  await refused({ csr, names: ['10.0.0.7', 'a b'] }, /^names\[1\]: /u);
  await refused({ csr, names: ['10.0.0.7', '\u001b[2J'] }, /^names\[1\]: [ -~]*$/u);
  await refused({ csr, names: ['fe80::1%eth0'] }, /^names\[0\]: /u);
  await refused({ csr, names: Array.from({ length: 257 }, (_, index) => `n${index}`) }, /^names: more than/u);
  await refused({ csr, uuid: '../../etc' }, /^uuid: /u);
  const damaged = Buffer.of(0x0a, 0xff, 0x01);
  using secret = Secret.take(Buffer.from(token));
  await t.throwsAsync(signer.sign({ terms: damaged, proof: proofOf(secret, damaged) }, '10.0.0.7'), {
    code: 'ERR_SIGNING_REQUEST',
    message: /^terms: /u,
  });
});

test('names of control planes, of the cluster itself, and those that stand for others are withheld', async (t) => {
  const names = [
    '10.0.0.7',
    '10.0.0.1',
    'CP',
    '::ffff:10.0.0.1',
    signerName,
    'x.nodecore.internal',
    '*.example.org',
  ];
  const { response } = await signerOf().sign(
    await request({ csr: await bareCsr(), names, uuid }),
    '10.0.0.7',
  );
  t.deepEqual(namesOf(response.serverCertificate), ['10.0.0.7']);
  t.deepEqual(
    response.withheld?.map(({ name, reason }) => `${name} ${reason}`),
    [
      '10.0.0.1 is a name of a control plane',
      'cp is a name of a control plane',
      `${signerName} is a name of the cluster itself`,
      'x.nodecore.internal is a name of the cluster itself',
      '*.example.org stands for names of other nodes, too',
    ],
  );
  const none = await request({ csr: await bareCsr(), names: ['localhost', '10.0.0.1'], uuid });
  await t.throwsAsync(signerOf().sign(none, '10.0.0.1'), {
    code: 'ERR_SIGNING_NAMES',
    message: /^10\.0\.0\.1 is a name/u,
  });
});

test("another node's names and UUID are withheld until its certificate has ended", async (t) => {
  const clock = new FakeClock(Date.now());
  const signer = signerOf(clock);
  const ask = async (from: string, names: readonly string[], csr?: string) =>
    (await signer.sign(await request({ csr: csr ?? (await bareCsr()), names, uuid }), from)).response;
  await ask('10.0.0.7', ['10.0.0.7', 'seven', '192.168.1.7']);
  const thief = await ask('10.0.0.8', ['10.0.0.8', '10.0.0.7', 'seven', '192.168.1.7']);
  t.deepEqual(namesOf(thief.serverCertificate), ['10.0.0.8']);
  t.is(thief.nodeCertificate, '', 'it would get the keys of the other machine');
  t.deepEqual(
    thief.withheld?.map(({ name }) => name),
    ['10.0.0.7', 'seven', '192.168.1.7', uuid],
  );
  t.regex(thief.withheld?.at(-1)?.reason ?? '', /^is the UUID of the machine at 10\.0\.0\.7/u);
  clock.advance(24 * hour);
  const heir = await ask('10.0.0.8', ['10.0.0.8', 'seven']);
  t.deepEqual(heir.withheld, []);
});

test('a node is who it was with a new key at its address, and with its key at a new address', async (t) => {
  const signer = signerOf();
  const ask = async (from: string, names: readonly string[], csr: string) =>
    (await signer.sign(await request({ csr, names, uuid }), from)).response;
  const [before, after] = [await bareCsr(), await bareCsr()];
  await ask('10.0.0.7', ['10.0.0.7', 'seven'], before);
  const wiped = await ask('10.0.0.7', ['10.0.0.7', 'seven'], after);
  t.deepEqual(wiped.withheld, []);
  t.not(wiped.nodeCertificate, '');
  const moved = await ask('10.0.0.9', ['10.0.0.9', 'seven'], after);
  t.deepEqual(moved.withheld, []);
  // An address that a request comes from is its sender's, whoever claimed it before.
  await ask('10.0.0.20', ['10.0.0.20', '10.0.0.21'], await bareCsr());
  const proven = await ask('10.0.0.21', ['10.0.0.21'], await bareCsr());
  t.deepEqual(namesOf(proven.serverCertificate), ['10.0.0.21']);
});

test('a recorded request brings its sender a certificate for the key of its maker, and nothing else', async (t) => {
  const signer = signerOf();
  const csr = await bareCsr();
  const recorded = await request({ csr, names: ['10.0.0.7'], uuid });
  await signer.sign(recorded, '10.0.0.7');
  const { response } = await signer.sign(recorded, '10.0.0.66');
  t.is(pki.fingerprint(response.serverCertificate ?? ''), await pki.bareRequestKey(csr));
});

test('who asks for too many waits, and the others do not', async (t) => {
  const clock = new FakeClock(Date.now());
  const signer = signerOf(clock, {
    rates: { all: { burst: 100, perSecond: 1 }, address: { burst: 2, perSecond: 1 } },
  });
  const ask = async (from: string) =>
    signer.sign(await request({ csr: await bareCsr(), names: [from], uuid: '' }), from);
  await ask('10.0.0.7');
  await ask('10.0.0.7');
  await t.throwsAsync(ask('10.0.0.7'), { code: 'ERR_SIGNING_BUSY' });
  await t.notThrowsAsync(ask('10.0.0.8'));
  clock.advance(1_000);
  await t.notThrowsAsync(ask('10.0.0.7'));
  const busy = signerOf(clock, {
    rates: { all: { burst: 1, perSecond: 1 }, address: { burst: 2, perSecond: 1 } },
  });
  await busy.sign(await request({ csr: await bareCsr(), names: ['10.0.0.7'], uuid: '' }), '10.0.0.7');
  const next = await request({ csr: await bareCsr(), names: ['10.0.0.8'], uuid: '' });
  await t.throwsAsync(busy.sign(next, '10.0.0.8'), { code: 'ERR_SIGNING_BUSY' });
});

test('a node without a configuration to sign by signs nothing', async (t) => {
  const signer = signerOf(undefined, { authority: () => undefined });
  const terms = await request({ csr: await bareCsr(), names: ['10.0.0.7'], uuid });
  await t.throwsAsync(signer.sign(terms, '10.0.0.7'), { code: 'ERR_SIGNING_CLOSED' });
});

test('members of the kvstore are control planes: no worker gets their addresses, and each is told of them', async (t) => {
  const members = ['10.0.0.2', '::ffff:10.0.0.3', '127.0.0.1', 'cp-2'];
  const signer = signerOf(undefined, { signers: () => members });
  const terms = { csr: await bareCsr(), names: ['10.0.0.7', '10.0.0.3', '127.0.0.1'], uuid };
  const { response } = await signer.sign(await request(terms), '10.0.0.7');
  t.deepEqual(namesOf(response.serverCertificate), ['10.0.0.7', '127.0.0.1']);
  t.deepEqual(response.withheld, [{ name: '10.0.0.3', reason: 'is a name of a control plane' }]);
  t.deepEqual(response.controlPlanes, ['10.0.0.2', '10.0.0.3']);
  const thief = signer.sign(await request({ ...terms, names: ['10.0.0.2'] }), '10.0.0.2');
  await t.throwsAsync(thief, { code: 'ERR_SIGNING_NAMES' }, 'also when it has taken the address itself');
});

test('what a node says of its member of the kvstore says where control planes are', (t) => {
  const peers = ['10.0.0.2', 'fd00::3'];
  t.deepEqual(kvstoreAddresses({ phase: 'running', clientURL: 'https://[fd00::1]:2379', peers }), [
    'fd00::1',
    ...peers,
  ]);
  t.deepEqual(kvstoreAddresses({ phase: 'waiting' }), []);
  t.deepEqual(kvstoreAddresses(undefined), [], 'a node that is no member');
});

test('a node is known before it has its certificate, for as long as that is good', async (t) => {
  const clock = new FakeClock(Date.now());
  const known: unknown[] = [];
  const signed = {
    add: async (names: readonly string[], more: object): Promise<void> => void known.push({ names, ...more }),
  };
  const { response } = await signerOf(clock, { signed }).sign(
    await request({ csr: await bareCsr(), names: ['worker', '10.0.0.7'], uuid }),
    '10.0.0.7',
  );
  const { validToDate } = new X509Certificate(response.serverCertificate ?? '');
  const [{ untilMs, ...rest } = { untilMs: 0 }] = known as { readonly untilMs: number }[];
  t.deepEqual(rest, { names: ['worker', '10.0.0.7'], address: '10.0.0.7' });
  t.true(Math.abs(untilMs - validToDate.getTime()) <= 1000, 'certificates have whole seconds');
});

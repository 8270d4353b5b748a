import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AddressInfo, connect, createServer } from 'node:net';
import { once } from 'node:events';

import { MachineService } from '@nodecore/api/machine';
import { machineId, publicKeyOf } from '@nodecore/fleet-link';
import { createCA, type Identity, issueClient } from '@nodecore/pki';
import { temporaryDirectory } from '@nodecore/testkit';
import { systemClock } from '@nodecore/waiting';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { linkStatuses } from '../src/link/definitions.ts';
import { machineFacts } from '../src/link/facts.ts';
import { inFile, inMeta } from '../src/link/identity-place.ts';
import { openIdentity } from '../src/link/identity-store.ts';
import { kernelLines } from '../src/link/kernel-lines.ts';
import { linkController } from '../src/link/link-controller.ts';
import { Link } from '../src/link/link.ts';
import { LogRing } from '../src/link/log-ring.ts';
import { Meta } from '../src/persistence/meta.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { apiNode, ca } from './api-node.ts';
import { rootDocument } from './documents.ts';
import { runControllers, until } from './controllers.ts';
import { callOn, fleetPort, token } from './linked.ts';

const ok = 0;
const denied = 7;
const version = MachineService.version.path;
const reboot = MachineService.reboot.path;

type Node = Awaited<ReturnType<typeof apiNode>>;

/** A call of the node API as it comes by the link. */
async function call(t: ExecutionContext, node: Node, client: Identity | undefined, path: string) {
  const pipe = createServer((socket) => node.server.inject(socket)).listen(0, '127.0.0.1');
  t.teardown(() => pipe.close());
  await once(pipe, 'listening');
  return await callOn(t, connect((pipe.address() as AddressInfo).port, '127.0.0.1'), client, path);
}

test('before the first configuration nobody calls on the link but who has a certificate of the fleet', async (t) => {
  const node = await apiNode(t);
  const fleet = await createCA('fleet access');
  const admin = await issueClient(fleet, { roles: ['os:admin'] });
  t.is(await call(t, node, admin, version), 'refused', 'the fleet has said nothing yet');
  node.server.trustOnLink(fleet.crt);
  t.is(await call(t, node, admin, version), ok);
  t.is(await call(t, node, undefined, version), 'refused');
  const other = await issueClient(await createCA('fleet access'), { roles: ['os:admin'] });
  t.is(await call(t, node, other, version), 'refused');
});

test('on the link a certificate gives its role and no other', async (t) => {
  const node = await apiNode(t);
  const fleet = await createCA('fleet access');
  node.server.trustOnLink(fleet.crt);
  const [reader, nobody] = [
    await issueClient(fleet, { roles: ['os:reader'] }),
    await issueClient(fleet, { roles: [] }),
  ];
  t.is(await call(t, node, reader, version), ok);
  t.is(await call(t, node, reader, reboot), denied);
  t.is(await call(t, node, nobody, version), 'refused');
  const admin = await issueClient(fleet, { roles: ['os:admin'] });
  t.not(await call(t, node, admin, reboot), denied);
});

test('with a configuration its authorities alone are good on the link', async (t) => {
  const node = await apiNode(t);
  const fleet = await createCA('fleet access');
  node.server.trustOnLink(fleet.crt);
  await node.configurator.apply({ text: rootDocument(ca), mode: 'auto', dryRun: false, anonymous: true });
  const [ofFleet, ofNode] = [
    await issueClient(fleet, { roles: ['os:admin'] }),
    await issueClient(ca, { roles: ['os:reader'] }),
  ];
  t.is(await call(t, node, ofFleet, version), 'refused');
  t.is(await call(t, node, ofNode, version), ok);
  t.is(await call(t, node, ofNode, reboot), denied);
});

test('a node joins its fleet, tells of itself and of its log, and is called through the link', async (t) => {
  const fleet = await fleetPort(t);
  const node = await apiNode(t);
  const place = inFile(join(await temporaryDirectory(t), 'link-identity.json'));
  const lines = new LogRing();
  lines.write('a line of before\n');
  const facts = {
    store: node.store,
    publicKey: () => node.server.publicKey,
    osRelease: undefined,
    uuid: () => Promise.resolve('4c4c4544-0042-3510-8054-b5c04f4a5131'),
  };
  const link = new Link({
    log: pino({ level: 'silent' }),
    clock: systemClock,
    server: node.server,
    facts: () => machineFacts(facts),
    factsChanged: async function* () {
      yield 'now';
    },
    lines: (signal) => lines.follow(signal),
  });
  link.use(fleet.url);
  const run = (signal: AbortSignal): Promise<void> => link.run(place, signal);
  const { changed: certificate } = node.server;
  runControllers(t, node.store, linkController({ link, run, certificate, factsChanged: () => {} }));
  const session = await fleet.session();
  const { request, answer } = await session.provision();
  const { key } = await openIdentity(place);
  t.is(request.machine, machineId(publicKeyOf({ key })));
  t.is(request.joinToken, token);
  t.is(request.facts.nodeApiSpki, node.server.publicKey);
  const access = await createCA('fleet access');
  await answer({ state: 'accepted', certificate: 'CERTIFICATE', fleetCA: access.crt, renewAfter: 60 });
  t.like((await session.events().next()).value, { osVersion: 'host', stage: 'booting' });
  t.is(String((await session.logs().next()).value), 'a line of before');
  const reader = await issueClient(access, { roles: ['os:reader'] });
  t.is(await callOn(t, await session.connect('node:50000'), reader, version), ok);
  t.is(await callOn(t, await session.connect('node:50000'), reader, reboot), denied);
  const [status] = await until(
    node.store,
    kindOf(linkStatuses),
    ([one]) => (one?.spec as { state?: string } | undefined)?.state === 'accepted',
  );
  t.like(status?.spec, { connected: true });
  t.like(await openIdentity(place), { certificate: 'CERTIFICATE', fleetCA: access.crt });
});

test('an identity that moves to META, when the node is installed, keeps the link that stands and what is called over it', async (t) => {
  const fleet = await fleetPort(t);
  const node = await apiNode(t);
  const directory = await temporaryDirectory(t);
  const [temporary, path] = [inFile(join(directory, 'link-identity.json')), join(directory, 'meta')];
  await writeFile(path, Buffer.alloc(1 << 20));
  const meta = await Meta.open(path);
  const installed = Promise.withResolvers<void>();
  async function* places() {
    yield { place: temporary };
    await installed.promise;
    yield { place: inMeta(meta, { former: temporary }) };
  }
  const link = new Link({
    log: pino({ level: 'silent' }),
    clock: systemClock,
    server: node.server,
    facts: () =>
      machineFacts({ store: node.store, publicKey: () => node.server.publicKey, osRelease: undefined }),
    factsChanged: async function* () {},
    lines: async function* () {},
  });
  link.use(fleet.url);
  const stop = new AbortController();
  const running = link.runIn(places(), stop.signal);
  t.teardown(async () => {
    stop.abort();
    await running;
  });
  const session = await fleet.session();
  const { request, answer } = await session.provision();
  const access = await createCA('fleet access');
  await answer({ state: 'accepted', certificate: 'CERTIFICATE', fleetCA: access.crt, renewAfter: 60 });
  const reader = await issueClient(access, { roles: ['os:reader'] });
  const before = await session.connect('node:50000');
  const hasCertificate = async (): Promise<boolean> =>
    Buffer.from((await temporary.read()) ?? []).includes('"CERTIFICATE"');
  while (!(await hasCertificate())) await systemClock.sleep(10);
  installed.resolve();
  while ((await temporary.read()) !== undefined) await systemClock.sleep(10);
  t.is(await callOn(t, before, reader, version), ok, 'a stream from before goes on');
  t.is(await callOn(t, await session.connect('node:50000'), reader, version), ok);
  const kept = await openIdentity(inMeta(meta));
  t.is(machineId(publicKeyOf(kept)), request.machine);
  t.like(kept, { certificate: 'CERTIFICATE', fleetCA: access.crt });
});

test('a node keeps its identity in META, and in no key that users read', async (t) => {
  const path = join(await temporaryDirectory(t), 'meta');
  await writeFile(path, Buffer.alloc(1 << 20));
  const first = await openIdentity(inMeta(await Meta.open(path)));
  const second = await openIdentity(inMeta(await Meta.open(path)));
  t.true(first.key.equals(second.key));
  t.deepEqual((await Meta.open(path)).tags, [0x31]);
});

test('an identity that can not be read is not replaced by a new one', async (t) => {
  const path = join(await temporaryDirectory(t), 'link-identity.json');
  await writeFile(path, '{}');
  await t.throwsAsync(openIdentity(inFile(path)));
});

test('of many lines the newest are kept, and a reader who is late hears how many it has lost', async (t) => {
  const ring = new LogRing(2);
  const reading = ring.follow(AbortSignal.timeout(5_000));
  ring.write('1\n');
  t.is((await reading.next()).value, '1');
  for (const line of ['2\n', '3\n', '4\n']) ring.write(line);
  t.deepEqual(
    [await reading.next(), await reading.next(), await reading.next()].map(({ value }) => value),
    ['(1 lines are lost)', '3', '4'],
  );
});

test('a record of the kernel is one line, without the fields of a device', async (t) => {
  const path = join(await temporaryDirectory(t), 'kmsg');
  await writeFile(path, '6,1234,5678901,-,caller=T1;eth0: link up\n SUBSYSTEM=net\n');
  t.deepEqual(await Array.fromAsync(kernelLines(AbortSignal.timeout(5_000), path)), [
    '6,1234,5678901;eth0: link up',
  ]);
});

test('a fleet and a receiver of logs have nothing of the kernel that a reader must not see', async (t) => {
  const path = join(await temporaryDirectory(t), 'kmsg');
  const line =
    'Kernel command line: ro os.link=https://f/?jointoken=hunter2 os.config.inline=aHVudGVyMg== os.environment=HTTPS_PROXY=http://u:hunter2@p';
  await writeFile(path, `6,1,0,-;${line}\n`);
  const [sent = ''] = await Array.fromAsync(kernelLines(AbortSignal.timeout(5_000), path));
  t.regex(
    sent,
    /^6,1,0;Kernel command line: ro os\.link=https:\/\/f\/\?<redacted> os\.config\.inline=<redacted> /u,
  );
  t.notRegex(sent, /hunter2|aHVudGVyMg/u);
});

import { once } from 'node:events';
import { connect as tlsConnect } from 'node:tls';

import { type Client, connect, decodeSpec } from '@nodecore/api';
import { ApplyMode } from '@nodecore/api/machine';
import { EventType } from '@nodecore/api/resource';
import * as pki from '@nodecore/pki';
import test, { type ExecutionContext } from 'ava';

import { machineConfigs } from '../src/configuration/definitions.ts';
import { disks } from '../src/discovery/definitions.ts';
import { kindOf, resourceDefinitions } from '../src/resources/definitions.ts';
import { apiNode, ca } from './api-node.ts';
import { authority, rootDocument, volumeDocument } from './documents.ts';

const marker = 'marker-passphrase-7f3a';
const text = rootDocument(ca) + volumeDocument({ name: 'data', passphrase: marker });

function setUp(t: ExecutionContext, activated?: () => Promise<void>) {
  return apiNode(t, { activated });
}

const configure = { data: Buffer.from(text), mode: ApplyMode.AUTO };

async function all<T>(batches: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const batch of batches) list.push(batch);
  return list;
}

test('maintenance serves anybody who checks the printed fingerprint, and only what is marked for it', async (t) => {
  const { insecure, shown, store } = await setUp(t);
  const fingerprint = /--cert-fingerprint (\S+)/.exec(shown[0] ?? '')?.[1] ?? '';
  const client = insecure([fingerprint]);
  t.true((await client.version()).maintenance);
  store.create({ ...kindOf(disks), id: 'sda' }, { size: 2n ** 60n });
  const { resource } = await client.get({ type: disks.type, id: 'sda' });
  t.deepEqual(decodeSpec(resource?.spec ?? new Uint8Array()), { size: 2n ** 60n });
  await t.throwsAsync(insecure([Buffer.alloc(32).toString('base64')]).version(), {
    code: 'ERR_API_FINGERPRINT',
  });
});

test('the reply to the first configuration arrives, and then only certificates are let in', async (t) => {
  const { insecure, as, configurator } = await apiNode(t, { drainMs: 10_000 });
  const stranger = insecure();
  const waiting = insecure();
  await waiting.version();
  const result = await stranger.applyConfiguration(configure);
  t.true(result.durable);
  t.is(result.version, 1n);
  t.is(configurator.active?.configuration.text, text);
  for (const client of [stranger, waiting, insecure()]) {
    const error = await t.throwsAsync(client.version());
    t.true(
      ['ERR_API_UNAUTHENTICATED', 'ERR_API_UNREACHABLE'].includes((error as { code?: string }).code ?? ''),
    );
  }
  const admin = await as(['os:admin']);
  t.false((await admin.version()).maintenance);
});

test('a configuration that is not UTF-8 is refused with its place', async (t) => {
  const { insecure } = await setUp(t);
  const data = Buffer.concat([Buffer.from('version: v1alpha1\nmachine: caf'), Buffer.of(0xe9)]);
  const error = await insecure()
    .applyConfiguration({ data, mode: ApplyMode.AUTO })
    .catch((failure: unknown) => failure);
  t.like(error, { code: 'ERR_API_INVALID', problems: [{ code: 'text.encoding', line: 2, column: 13 }] });
});

test('a reader reads, and neither applies nor sees what is sensitive', async (t) => {
  const { insecure, as, configurator } = await setUp(t);
  await insecure().applyConfiguration(configure);
  const reader = await as(['os:reader']);
  t.is((await reader.version()).os, 'linux');
  await t.throwsAsync(reader.applyConfiguration({ ...configure, dryRun: true }), { code: 'ERR_API_DENIED' });
  await t.throwsAsync(reader.get({ type: machineConfigs.type, id: 'v1alpha1' }), { code: 'ERR_API_DENIED' });
  await t.throwsAsync(all(reader.list({ type: machineConfigs.type })), { code: 'ERR_API_DENIED' });
  await t.throwsAsync(all(reader.watch({ type: machineConfigs.type })), { code: 'ERR_API_DENIED' });
  t.is(configurator.active?.version, 1);
});

test('nobody gets in with a foreign, a server, an expired or no certificate', async (t) => {
  const { insecure, as, endpoint } = await setUp(t);
  await insecure().applyConfiguration(configure);
  const denied = async (client: Client): Promise<void> => {
    await t.throwsAsync(client.version(), { code: 'ERR_API_UNAUTHENTICATED' });
  };
  await denied(await as(['os:admin'], await authority()));
  const server = await pki.issueServer(ca, { names: ['127.0.0.1'] });
  await denied(connect({ endpoint, ca: ca.crt, ...server }));
  const expired = await pki.issueClient(ca, { roles: ['os:admin'], lifetimeMs: 1, nowMs: 0 });
  await denied(connect({ endpoint, ca: ca.crt, ...expired }));
  await denied(insecure());
  await denied(await as([]));
  await denied(await as(['os:nobody']));
});

test('a certificate that is not valid yet opens nothing: the clock of who has made it is ahead', async (t) => {
  const { insecure, endpoint } = await setUp(t);
  await insecure().applyConfiguration(configure);
  const ahead = await pki.issueClient(ca, { roles: ['os:admin'], nowMs: Date.now() + 86_400_000 });
  const client = connect({ endpoint, ca: ca.crt, ...ahead });
  t.teardown(() => client.close());
  await t.throwsAsync(client.version(), { code: 'ERR_API_UNAUTHENTICATED' });
});

test('an authority in acceptedCAs lets its clients in, and one that is taken away does not', async (t) => {
  const { insecure, as } = await setUp(t);
  const other = await authority();
  const both = text.replace(
    'machine:\n',
    `machine:\n  acceptedCAs:\n    - crt: ${Buffer.from(other.crt).toString('base64')}\n`,
  );
  await insecure().applyConfiguration({ data: Buffer.from(both) });
  const guest = await as(['os:reader'], other);
  t.truthy((await guest.version()).version);
  const admin = await as(['os:admin']);
  await admin.applyConfiguration(configure);
  const error = await t.throwsAsync(guest.version());
  t.true(
    ['ERR_API_UNAUTHENTICATED', 'ERR_API_UNREACHABLE'].includes((error as { code?: string }).code ?? ''),
  );
});

test('problems of a configuration arrive with place and code', async (t) => {
  const { insecure } = await setUp(t);
  const data = Buffer.from(
    `${text}---\napiVersion: v1alpha1\nkind: UserVolumeConfig\nname: x\nnonsense: 1\n`,
  );
  const error = await t.throwsAsync(insecure().applyConfiguration({ data }), { code: 'ERR_API_INVALID' });
  const { problems, reason } = error as unknown as {
    problems: { line: number; code: string }[];
    reason: string;
  };
  t.is(reason, 'ERR_CONFIG_INVALID');
  t.true(problems.some(({ line, code }) => line > 10 && code !== ''));
});

test('a list has its bookmark, and a watch goes on from it', async (t) => {
  const { insecure, store } = await setUp(t);
  const client = insecure();
  const batches = await all(client.list({ type: resourceDefinitions.type }));
  t.true(batches.flatMap(({ resources }) => resources).length > 5);
  const many = Array.from({ length: 150 }, (_, index) => `disk${String(index).padStart(3, '0')}`);
  for (const id of many) store.create({ ...kindOf(disks), id }, { id });
  const listed = await all(client.list({ type: disks.type }));
  t.deepEqual(
    listed.flatMap(({ resources }) => resources.map(({ metadata }) => metadata?.id)),
    many,
  );
  t.deepEqual(
    listed.map(({ bookmark }) => bookmark !== undefined),
    [false, false, true],
  );
  const bookmark = listed.at(-1)?.bookmark;
  store.modify({ ...kindOf(disks), id: 'disk007' }, () => 'changed');
  for await (const { events } of client.watch({ type: disks.type, ...(bookmark && { bookmark }) })) {
    t.deepEqual(
      events.map(({ type, resource }) => [type, resource?.metadata?.id]),
      [[EventType.UPDATED, 'disk007']],
    );
    break;
  }
  const stale = { epoch: 'another run', revision: 1n };
  await t.throwsAsync(all(client.watch({ type: disks.type, bookmark: stale })), { code: 'ERR_API_BOOKMARK' });
});

test('the passphrase is in no log line, resource, error or difference', async (t) => {
  const { insecure, as, lines, store } = await setUp(t);
  await insecure().applyConfiguration(configure);
  const admin = await as(['os:admin']);
  const dry = await admin.applyConfiguration({
    data: Buffer.from(text.replace(marker, `${marker}-2`)),
    dryRun: true,
  });
  t.not(dry.diff, '');
  const bad = Buffer.from(text.replace(`passphrase: ${marker}`, `passphrase: [${marker}]`));
  const error = await t.throwsAsync(admin.applyConfiguration({ data: bad }), { code: 'ERR_API_INVALID' });
  const torn = await t.throwsAsync(
    admin.applyConfiguration({ data: Buffer.from(text.replace(marker, `"${marker}`)) }),
  );
  const resources = await all(admin.list({ type: machineConfigs.type }));
  t.is(resources[0]?.resources.length, 2);
  const specs = resources.flatMap((batch) => batch.resources.map(({ spec }) => Buffer.from(spec).toString()));
  const everything = [
    ...lines,
    ...specs,
    JSON.stringify(dry, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ...[error, torn].flatMap((each) => [each.message, each.stack ?? '', JSON.stringify(each)]),
    JSON.stringify(store.list(kindOf(machineConfigs)).resources),
  ].join('\n');
  t.false(everything.includes(marker));
  const caKey = ca.key.bytes.toString('base64');
  t.false(everything.includes(caKey.slice(40, 80)));
  t.true(lines.some((line) => line.includes('ApplyConfiguration') && line.includes('durationMs')));
});

test('no session is resumed: every connection shows its certificate', async (t) => {
  const { insecure, address } = await setUp(t);
  await insecure().applyConfiguration(configure);
  const { crt, key } = await pki.issueClient(ca, { roles: ['os:reader'] });
  const sessions: Buffer[] = [];
  const socket = tlsConnect({
    ...address,
    ca: ca.crt,
    cert: crt,
    key: key.bytes,
    ALPNProtocols: ['h2'],
  });
  socket.on('session', (session) => sessions.push(session));
  await once(socket, 'secureConnect');
  t.is(socket.getProtocol(), 'TLSv1.3');
  socket.end();
  await once(socket, 'close');
  for (const session of sessions) {
    const again = tlsConnect({ ...address, ca: ca.crt, session, ALPNProtocols: ['h2'] });
    await t.throwsAsync(once(again, 'end'), { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' });
  }
  t.true(sessions.length > 0);
});

test('the server certificate is made by the machine and for this host', async (t) => {
  const { insecure, address } = await setUp(t);
  await insecure().applyConfiguration(configure);
  const { crt, key } = await pki.issueClient(ca, { roles: ['os:reader'] });
  const socket = tlsConnect({
    ...address,
    servername: 'localhost',
    ca: ca.crt,
    cert: crt,
    key: key.bytes,
    ALPNProtocols: ['h2'],
  });
  await once(socket, 'secureConnect');
  t.true(socket.authorized);
  const certificate = socket.getPeerX509Certificate();
  t.truthy(certificate?.checkIP('127.0.0.1'));
  socket.destroy();
});

test('keys and headers are for administrators, and unknown volumes are not found', async (t) => {
  const { insecure, as } = await setUp(t);
  await insecure().applyConfiguration(configure);
  const reader = await as(['os:operator']);
  await t.throwsAsync(reader.addRecoveryKey({ volume: 'u-data', key: Buffer.from('k') }), {
    code: 'ERR_API_DENIED',
  });
  await t.throwsAsync(all(reader.backupHeader({ volume: 'u-data' })), { code: 'ERR_API_DENIED' });
  const admin = await as(['os:admin']);
  await t.throwsAsync(all(admin.rotateKeys({ volumes: ['u-x'] })), { code: 'ERR_API_NOT_FOUND' });
});

test('a caller is told who they are and what they may, and their calls are judged alike', async (t) => {
  const { insecure, as } = await setUp(t);
  const stranger = await insecure().access();
  t.like(stranger, { name: 'anonymous', roles: [], maintenance: true });
  const allowed = (list: typeof stranger.methods): string[] =>
    list.filter((each) => each.allowed).map(({ method }) => method);
  t.true(allowed(stranger.methods).includes('MachineService/ApplyConfiguration'));
  t.false(allowed(stranger.methods).includes('TrimService/Trim'));
  await insecure().applyConfiguration(configure);
  const backup = await (await as(['os:kvstore:backup'])).access();
  t.deepEqual(backup.roles, ['os:kvstore:backup']);
  t.deepEqual(allowed(backup.methods), [
    'KvstoreService/Status',
    'KvstoreService/Members',
    'KvstoreService/Alarms',
    'KvstoreService/Snapshot',
    'MachineService/Access',
  ]);
});

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { status } from '@grpc/grpc-js';
import { type ApiError, connect, decodeSpec } from '@nodecore/api';
import { passedOnPath } from '@nodecore/api/forward';
import { MachineService } from '@nodecore/api/machine';
import { ResourceService } from '@nodecore/api/resource';
import * as pki from '@nodecore/pki';
import test, { type ExecutionContext } from 'ava';

import { disks } from '../src/discovery/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';
import type { FinishedCall } from '../src/server/guard.ts';
import { certifiedLimits } from '../src/server/limits.ts';
import { callerHeader } from '../src/server/passed-on.ts';
import { ca } from './api-node.ts';
import { callerWith } from './callers.ts';
import { authority } from './documents.ts';
import { call, framed, identity, session, statusOfCall } from './hostile-client.ts';
import { namedNode, type NamedNode, twoNodes } from './proxy-node.ts';

const nothing = framed(new Uint8Array());
const watchDisks = framed(ResourceService.watch.requestSerialize({ type: disks.type }));

/** The call of a method that ends next. */
function nextEnd({ server }: NamedNode, path: string): Promise<FinishedCall> {
  const { promise, resolve } = Promise.withResolvers<FinishedCall>();
  server.observe({
    called: (each) => void (each.path === path && resolve(each)),
    refused: () => {},
  });
  return promise;
}

/** HTTP/2 with a certificate that has these organizations. */
async function raw(t: ExecutionContext, { address }: NamedNode, ...organizations: string[]) {
  const made = session(address, await identity(ca, organizations));
  t.teardown(() => made.destroy());
  return made;
}

/** How a call with these headers ends. */
async function ends(
  from: ReturnType<typeof session>,
  path: string,
  headers: Record<string, string>,
): Promise<number | undefined> {
  const stream = call(from, path, headers);
  stream.end(nothing);
  return await statusOfCall(stream);
}

test('a call is answered by the node that it names', async (t) => {
  const { near, far } = await twoNodes(t);
  near.store.create({ ...kindOf(disks), id: 'sda' }, { at: 'near' });
  far.store.create({ ...kindOf(disks), id: 'sda' }, { at: 'far' });
  const reader = await near.as(['os:reader']);
  for (const [node, at] of [
    ['far', 'far'],
    ['near', 'near'],
    ['NEAR', 'near'],
    ['localhost', 'near'],
    ['127.0.0.1', 'near'],
    [undefined, 'near'],
  ] as const) {
    const { resource } = await reader.get({ type: disks.type, id: 'sda' }, { node });
    t.deepEqual(decodeSpec(resource?.spec ?? new Uint8Array()), { at }, node);
  }
});

test('on the other node the caller has the roles of their certificate, and the audit names them and the way', async (t) => {
  const { near, far } = await twoNodes(t);
  const { crt, key } = await pki.issueNamedClient(ca, { commonName: 'ada', roles: ['os:operator'] });
  const ada = connect({ endpoint: near.endpoint, ca: ca.crt, crt, key });
  t.teardown(() => ada.close());
  const { name, roles } = await ada.access({ node: 'far' });
  t.deepEqual([name, roles], ['ada', ['os:operator']]);
  await t.throwsAsync(ada.metaWrite({ key: 10, value: new Uint8Array() }, { node: 'far' }), {
    code: 'ERR_API_DENIED',
  });
  await ada.reboot({}, { node: 'far' }).catch(() => {});
  await far.audit.flush();
  const lines = (await readFile(join(far.directory, 'audit', 'audit.jsonl'), 'utf8')).trim().split('\n');
  const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const record = records.find(({ action }) => action === 'reboot');
  const fingerprint = pki.readCertificate(crt).fingerprint256.replaceAll(':', '').toLowerCase();
  t.like(record, { name: 'ada', fingerprint, roles: ['os:operator'], via: hostname() });
  t.true(near.lines.some((line) => line.includes('"node":"far"') && line.includes('"name":"ada"')));
  const passed =
    near.lines.find((line) => line.includes('"node":"far"') && line.includes('/Reboot"')) ?? '{}';
  const { requestId } = JSON.parse(passed) as { readonly requestId?: string };
  t.is(record?.['requestId'], requestId, 'it is one call on both');
  t.regex(String(requestId), /^[0-9a-f-]{16}$/u);
});

test('a call that failed elsewhere has one id: for its caller and in the logs of both nodes', async (t) => {
  const { near, far } = await twoNodes(t);
  const reader = await near.as(['os:reader']);
  const missing = reader.get({ type: disks.type, id: 'nosuch' }, { node: 'far' });
  const { requestId } = await t.throwsAsync<ApiError>(missing, { code: 'ERR_API_NOT_FOUND' });
  for (const { lines } of [near, far])
    t.true(lines.some((line) => line.includes(`"requestId":"${requestId}"`) && line.includes('/Get"')));
});

test('only the certificate of a node calls for somebody else', async (t) => {
  const { near, far } = await twoNodes(t);
  const forged = callerHeader({ ...callerWith('os:admin'), name: 'forged' });
  const path = MachineService.access.path;
  for (const node of [near, far])
    for (const organizations of [
      ['os:reader'],
      ['os:admin'],
      ['os:impersonator', 'os:admin'],
      ['os:impersonator', 'os:reader'],
    ])
      t.is(await ends(await raw(t, node, ...organizations), path, forged), status.PERMISSION_DENIED);
  const passed = await ends(await raw(t, near, 'os:reader'), path, { ...forged, node: 'far' });
  t.is(passed, status.PERMISSION_DENIED);
  t.is(await ends(await raw(t, far, 'os:impersonator'), path, forged), status.OK);
  await near.audit.flush();
  const text = await readFile(join(near.directory, 'audit', 'audit.jsonl'), 'utf8');
  const denied = text.split('\n').filter((line) => line.includes('"outcome":"denied"'));
  t.true(denied.length > 0, 'who says to be somebody else is in the audit');
  for (const line of denied) {
    t.false(line.includes('forged'), 'as who it was');
    t.regex(line, /"serial":"[0-9A-F]+"/);
  }
});

function words(said: unknown): Record<string, string> {
  return { 'nodecore-caller-bin': Buffer.from(JSON.stringify(said)).toString('base64') };
}

test('a node that calls for nobody, for a caller without a role, or for one who is none, gets nothing', async (t) => {
  const { far } = await twoNodes(t);
  const from = await raw(t, far, 'os:impersonator');
  const path = MachineService.access.path;
  t.is(await ends(from, path, {}), status.PERMISSION_DENIED);
  const whole = { name: 'x', serial: '0A', fingerprint: 'f'.repeat(64), roles: ['os:admin'] };
  for (const roles of [[], ['os:impersonator'], ['root', 7, null]])
    t.is(await ends(from, path, words({ ...whole, roles })), status.PERMISSION_DENIED);
  for (const said of [
    null,
    [],
    {},
    { ...whole, name: 7 },
    { ...whole, name: 'x'.repeat(257) },
    { ...whole, fingerprint: '' },
    { ...whole, serial: '../..' },
    { ...whole, roles: 'os:admin' },
  ])
    t.is(await ends(from, path, words(said)), status.INVALID_ARGUMENT, JSON.stringify(said));
  t.is(await ends(from, path, { 'nodecore-caller-bin': 'e30' }), status.INVALID_ARGUMENT);
  t.is(await ends(from, path, words(whole)), status.OK);
});

test('roles from another node open what they open, and a call that was passed on goes no further', async (t) => {
  const { near } = await twoNodes(t);
  const from = await raw(t, near, 'os:impersonator');
  const reader = callerHeader(callerWith('os:reader'));
  t.is(await ends(from, MachineService.version.path, reader), status.OK);
  t.is(await ends(from, MachineService.metaWrite.path, reader), status.PERMISSION_DENIED);
  t.is(await ends(from, MachineService.version.path, { ...reader, node: 'far' }), status.INVALID_ARGUMENT);
});

test('what names no node, several, or a port is refused, also by the path of such calls', async (t) => {
  const { near } = await twoNodes(t);
  const from = await raw(t, near, 'os:reader');
  const path = MachineService.version.path;
  for (const headers of [
    { node: '' },
    { node: 'far,near' },
    { node: 'far:50000' },
    { node: '[::1]:50000' },
    { node: 'a b' },
    { node: '-far' },
    { node: 'x'.repeat(254) },
    { nodes: 'far' },
    { nodes: 'near' },
    { node: 'near', nodes: 'far' },
  ])
    t.is(await ends(from, path, headers), status.INVALID_ARGUMENT, JSON.stringify(headers));
  t.is(await ends(from, `/passed-on${path}`, {}), status.INVALID_ARGUMENT, 'nobody knows whom it is for');
  t.is(await ends(from, `/passed-on/passed-on${path}`, { node: 'near' }), status.INVALID_ARGUMENT);
});

test('a call by the way of such calls is for whom it names, and takes the roles that its method asks for', async (t) => {
  const { near } = await twoNodes(t);
  const from = await raw(t, near, 'os:reader');
  for (const node of ['near', 'far']) {
    t.is(await ends(from, passedOnPath(MachineService.version.path), { node }), status.OK);
    t.is(await ends(from, passedOnPath(MachineService.metaWrite.path), { node }), status.PERMISSION_DENIED);
    t.is(await ends(from, MachineService.version.path, { node }), status.OK, 'clients of earlier releases');
  }
});

test('only a control plane passes calls on; every other node says so', async (t) => {
  const { near } = await twoNodes(t, { near: { type: 'worker' } });
  const reader = await near.as(['os:reader']);
  const error = await t.throwsAsync(reader.version({ node: 'far' }), {
    code: 'ERR_API_CONFLICT',
    message: /^far: only a control plane passes calls on/u,
  });
  t.is((error as { reason?: string }).reason, 'ERR_SERVER_NO_CONTROL_PLANE');
});

test('a node that is not there, and one of another cluster, fail their own calls and no others', async (t) => {
  const lonely = await namedNode(t, 'near');
  const unreached = `far: not reached from ${hostname()}: connection refused`;
  const error = await t.throwsAsync((await lonely.as(['os:reader'])).version({ node: 'far' }), {
    code: 'ERR_API_UNREACHABLE',
  });
  t.true(error.message.startsWith(unreached), error.message);
  const { near } = await twoNodes(t, { far: { issuer: await authority() } });
  const reader = await near.as(['os:reader']);
  await t.throwsAsync(reader.version({ node: 'far' }), {
    code: 'ERR_API_CONFLICT',
    message: /its certificate is not from the authority of this cluster/u,
  });
  await t.throwsAsync(reader.version({ node: 'other' }), { code: 'ERR_API_CONFLICT' });
  t.truthy(await reader.version());
});

test('what answers under a name that its certificate does not have is not asked', async (t) => {
  const { near, far } = await twoNodes(t);
  const reader = await near.as(['os:reader']);
  await t.throwsAsync(reader.version({ node: 'other' }), {
    code: 'ERR_API_CONFLICT',
    message: /its certificate is for other names/u,
  });
  t.false(far.lines.some((line) => line.includes('"via"')));
});

test('a stream comes as it goes on, and its end reaches the other node', async (t) => {
  const { near, far } = await twoNodes(t);
  const reader = await near.as(['os:reader']);
  const leave = new AbortController();
  const ended = nextEnd(far, ResourceService.watch.path);
  const watched = reader.watch({ type: disks.type }, { node: 'far', signal: leave.signal });
  const seen: (string | undefined)[] = [];
  const reading = (async () => {
    for await (const { events } of watched) {
      seen.push(...events.flatMap(({ resource }) => resource?.metadata?.id ?? []));
      if (seen.includes('last')) leave.abort();
      else if (seen.length <= 1)
        far.store.create({ ...kindOf(disks), id: seen.length === 0 ? 'first' : 'last' }, {});
    }
  })();
  await t.throwsAsync(reading);
  t.deepEqual(seen, ['first', 'last']);
  t.is((await ended).code, status.CANCELLED);
  t.is(far.server.counts().calls, 0);
});

test('the deadline of the caller is that of the other node', async (t) => {
  const { near, far } = await twoNodes(t);
  const reader = await near.as(['os:reader']);
  await reader.version({ node: 'far' }); // it is connected
  const ended = nextEnd(far, ResourceService.watch.path);
  const watched = reader.watch({ type: disks.type }, { node: 'far', timeoutMs: 1_000 });
  await t.throwsAsync(Array.fromAsync(watched), { code: 'ERR_API_TIMEOUT' });
  const { code, durationMs } = await ended;
  t.true(code === status.DEADLINE_EXCEEDED || code === status.CANCELLED, String(code));
  t.true(durationMs < 10_000, String(durationMs));
});

test('a node that ends during a call is told as lost, and is there again when it has come back', async (t) => {
  const { near, far } = await twoNodes(t);
  const reader = await near.as(['os:reader']);
  const batches = reader.watch({ type: disks.type }, { node: 'far' })[Symbol.asyncIterator]();
  await batches.next();
  const next = batches.next();
  await far.server.close();
  await t.throwsAsync(next, { code: 'ERR_API_UNREACHABLE' });
  await t.throwsAsync(reader.version({ node: 'far' }), { code: 'ERR_API_UNREACHABLE' });
  t.truthy(await reader.version());
});

test('every caller has a connection of their own to the other node', async (t) => {
  const { near } = await twoNodes(t);
  const [one, other] = [await near.as(['os:reader']), await near.as(['os:reader'])];
  await Promise.all([one, one, other, other].map((client) => client.version({ node: 'far' })));
  t.is(near.sessions.size, 2);
});

test('a caller has as many calls through a node as it has directly, on as many connections as that takes', async (t) => {
  const { near } = await twoNodes(t);
  const credentials = await pki.issueClient(ca, { roles: ['os:reader'] });
  const clients = [1, 2].map(() => connect({ endpoint: near.endpoint, ca: ca.crt, ...credentials }));
  t.teardown(() => clients.forEach((client) => client.close()));
  const leave = new AbortController();
  const begun = clients.flatMap((client) =>
    Array.from({ length: 50 }, async () => {
      const watched = client.watch({ type: disks.type }, { node: 'far', signal: leave.signal });
      return await watched[Symbol.asyncIterator]().next();
    }),
  );
  t.is((await Promise.all(begun)).length, 100);
  t.is(near.sessions.size, 2);
  leave.abort();
});

test('a reader that takes nothing through a node holds nobody back', async (t) => {
  const { near, far } = await twoNodes(t);
  for (let each = 0; each < 1_000; each += 1)
    far.store.create({ ...kindOf(disks), id: `disk${each}` }, { padding: 'x'.repeat(4_000) });
  const credentials = await pki.issueClient(ca, { roles: ['os:reader'] });
  const shown = { crt: credentials.crt, key: credentials.key.bytes.toString() };
  const slow = session(near.address, shown, { settings: { initialWindowSize: 0 } });
  t.teardown(() => slow.destroy());
  await once(slow, 'connect');
  const stalled = Array.from({ length: 8 }, () => call(slow, ResourceService.watch.path, { node: 'far' }));
  for (const stream of stalled) stream.end(watchDisks);
  const same = connect({ endpoint: near.endpoint, ca: ca.crt, ...credentials });
  t.teardown(() => same.close());
  for (let each = 0; each < 20; each += 1) t.truthy(await same.version({ node: 'far' }));
  t.is(near.sessions.size, 1);
});

test('what a node cancels for its callers does not count against it', async (t) => {
  const connections = { ...certifiedLimits.connections, resets: { burst: 5, perSecond: 0 } };
  const { far } = await twoNodes(t, { far: { limits: { certified: { ...certifiedLimits, connections } } } });
  const from = await raw(t, far, 'os:impersonator');
  const headers = callerHeader(callerWith('os:reader'));
  await once(from, 'connect');
  for (let each = 0; each < 20 && !from.destroyed; each += 1) {
    const stream = call(from, ResourceService.watch.path, headers).resume();
    await new Promise((resolve) => from.ping(resolve));
    stream.close(8);
  }
  t.is(await ends(from, MachineService.version.path, headers), status.OK);
});

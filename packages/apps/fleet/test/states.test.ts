import { encodeSpec } from '@nodecore/api';
import { fleetType, links, type LinkSpec } from '@nodecore/fleet-api';
import type { State } from '@nodecore/state';
import test, { type ExecutionContext } from 'ava';

import type { Feature } from '../src/feature.ts';
import { features } from '../src/features.ts';
import { adminOf } from './admin.ts';
import { fleetOf } from './scene.ts';

const notes = {
  ...links,
  type: fleetType('Notes'),
  displayType: 'Note',
  aliases: [],
  changes: ['create', 'update', 'destroy'],
} as const;
const link: LinkSpec = { publicKey: '', connected: false, lastEndpoint: '' };
const metadata = { type: notes.type, id: 'one' };

async function scene(
  t: ExecutionContext,
): Promise<Awaited<ReturnType<typeof adminOf>> & { readonly state: State }> {
  let state: State | undefined;
  const feature: Feature = {
    name: 'notes',
    definitions: [notes],
    make: (fleet) => {
      ({ state } = fleet);
      return {};
    },
  };
  const made = await adminOf(
    t,
    async (options) => await fleetOf(t, { ...options, features: [...features, feature] }),
  );
  return { ...made, state: state! };
}

test('users write types that are for them, from the version that they have seen', async (t) => {
  const { admin } = await scene(t);
  const made = await admin.create({
    metadata: { ...metadata, labels: { a: 'b' } },
    spec: encodeSpec({ x: 1 }),
  });
  t.is(made?.metadata?.version, 1n);
  await t.throwsAsync(admin.create({ metadata, spec: encodeSpec({}) }), { code: 'ERR_API_EXISTS' });
  const change = { metadata: { ...metadata, version: 1n }, spec: encodeSpec({ x: 2 }) };
  t.is((await admin.update(change))?.metadata?.version, 2n);
  const stale = await t.throwsAsync(admin.update(change));
  t.like(stale, { reason: 'ERR_RESOURCE_VERSION' });
  for (const spec of [Buffer.from('{'), encodeSpec([]), encodeSpec(null), encodeSpec('x')])
    await t.throwsAsync(admin.create({ metadata: { ...metadata, id: 'two' }, spec }), {
      code: 'ERR_API_INVALID',
    });
  t.deepEqual(await admin.teardown({ ...metadata }), { ready: true, finalizers: [] });
  t.true((await admin.teardown({ ...metadata })).ready);
  await admin.destroy({ ...metadata });
  await admin.destroy({ ...metadata }); // what is not there is no failure
  await t.throwsAsync(admin.get({ ...metadata }), { code: 'ERR_API_NOT_FOUND' });
});

test('what only the fleet writes is written by nobody else, also not by an administrator', async (t) => {
  const { admin, state } = await scene(t);
  const denied = { code: 'ERR_API_DENIED' };
  const spec = encodeSpec(link);
  for (const name of [
    'Machines',
    'MachineStatuses',
    'Users',
    'Identities',
    'PublicKeys',
    'JoinTokens',
    'AuditEvents',
  ]) {
    await t.throwsAsync(admin.create({ metadata: { type: fleetType(name), id: 'x' }, spec }), denied, name);
    await t.throwsAsync(admin.destroy({ type: fleetType(name), id: 'x' }), denied, name);
  }
  const own = { type: links.type, id: 'machine' };
  await t.throwsAsync(admin.create({ metadata: own, spec }), denied);
  await state.create({ ...own, namespace: 'default' }, link, { owner: 'links' });
  await t.throwsAsync(admin.update({ metadata: { ...own, version: 1n }, spec }), denied);
  await admin.destroy(own); // forgets the machine
  t.is(await state.get({ ...own, namespace: 'default' }), undefined);
  await t.throwsAsync(admin.get({ type: 'Unknown.fleet.nodecore.dev', id: 'x' }), {
    code: 'ERR_API_NOT_FOUND',
  });
  await t.throwsAsync(admin.get({ ...own, namespace: 'audit' }), { code: 'ERR_API_NOT_FOUND' });
});

test('a change and its record are written together, or neither', async (t) => {
  const { admin, state } = await scene(t);
  const records = async (): Promise<number> =>
    (await state.list({ namespace: 'audit', type: fleetType('AuditEvents') })).resources.length;
  const before = await records();
  await admin.create({ metadata, spec: encodeSpec({}) });
  t.is(await records(), before + 1);
  await t.throwsAsync(admin.create({ metadata, spec: encodeSpec({}) }));
  t.is(await records(), before + 1);
});

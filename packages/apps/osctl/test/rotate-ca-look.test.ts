import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { ApiError, encodeSpec } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { ConfiguredNode } from '../src/rotate-ca/configured.ts';
import { lookAtAll } from '../src/rotate-ca/look.ts';
import type { RotatingNode } from '../src/rotate-ca/rotating-node.ts';
import { readRotation, writeRotation } from '../src/rotate-ca/rotation-file.ts';

type Member = { readonly id: bigint; readonly hostname: string };

type Resource = { readonly metadata: { readonly id: string }; readonly spec: Uint8Array };

function resource(id: string, spec: object): Resource {
  return { metadata: { id }, spec: encodeSpec(spec) };
}

/** A control plane whose kvstore has these members, of which the first is its own, and that has these resources. */
function plane(
  name: string,
  roles: readonly string[],
  members: readonly Member[],
  resources: Readonly<Record<string, readonly Resource[]>> = {},
): RotatingNode {
  const client = {
    access: async () => ({ roles }),
    list: async function* ({ type }: { readonly type: string }) {
      const kind = type.split('.')[0] ?? '';
      if (kind === 'KvstoreMembers') yield { resources: members.length === 0 ? [] : [{}] };
      else if (resources[kind] !== undefined) yield { resources: resources[kind] };
      // An earlier release.
      else throw new ApiError('ERR_API_NOT_FOUND', 'no such type', { endpoint: name, node: undefined });
    },
    kvstore: { status: async () => ({ memberId: members[0]?.id }), members: async () => ({ members }) },
  };
  return {
    name,
    endpoint: `${name}:50000`,
    direct: true,
    prove: async () => {},
    configuration: async () => new ConfiguredNode('version: v1alpha1\nmachine: {type: controlplane}\n'),
    call: async (_: unknown, work: (of: unknown) => unknown) => await work(client),
  } as unknown as RotatingNode;
}

const expected = { candidates: [{ ca: '', crt: '', key: '' }], signal: new AbortController().signal };
const [one, two] = [
  { id: 1n, hostname: 'plane-1' },
  { id: 2n, hostname: 'plane-2' },
];

test('every member of the kvstore has to be among the nodes, and those that are not are named', async (t) => {
  const admin = ['os:admin'];
  await t.throwsAsync(lookAtAll([plane('a', admin, [one, two])], expected), {
    code: 'ERR_ROTATION_NODE',
    message: /members that were not named: plane-2; name every control plane and worker/u,
  });
  const both = [plane('a', admin, [one, two]), plane('b', admin, [two, one])];
  t.is((await lookAtAll(both, expected)).length, 2);
  t.is((await lookAtAll([plane('a', admin, [])], expected)).length, 1);
});

function signed(...names: readonly [string, ...string[]]): Resource {
  return resource(names[0], { names, address: '10.0.0.9', until: '2026-01-02T00:00:00.000Z' });
}

function called(...names: readonly string[]) {
  return { CertificateStatuses: [resource('api', { names })] };
}

test('every node with a certificate that is still good has to be named, or said to be no more', async (t) => {
  const bridge = '172.17.0.1';
  const owner = plane('a', ['os:admin'], [], {
    ...called('a', '10.0.0.1', bridge),
    SignedNodes: [signed('w1', '10.0.0.7', bridge), signed('w2', '10.0.0.8', bridge)],
  });
  const w1 = plane('b', ['os:admin'], [], called('w1', '10.0.0.7', bridge));
  const look = (gone: readonly string[], ...nodes: readonly RotatingNode[]) =>
    lookAtAll([owner, ...nodes], { ...expected, gone });
  await t.throwsAsync(look([]), {
    code: 'ERR_ROTATION_NODE',
    message:
      /^nodes with a certificate .* not named: w1 10\.0\.0\.7 172\.17\.0\.1 \(until 2026-.*\), w2 .*--without-nodes w1,w2$/u,
  });
  await t.throwsAsync(look([], w1), { message: /not named: w2 /u });
  t.is((await look(['w2'], w1)).length, 2);
  t.is((await look([], w1, plane('10.0.0.8', ['os:admin'], []))).length, 3, 'by the address that is dialled');
});

test('a machine of the older type join is a worker', async (t) => {
  const joined = new ConfiguredNode('version: v1alpha1\nmachine: {type: join}\n');
  const nodes = [
    plane('a', ['os:admin'], []),
    Object.assign(plane('b', ['os:admin'], []), { configuration: async () => joined }),
  ];
  const seen = await lookAtAll(nodes, { ...expected, controlPlanes: ['a'], workers: ['b'] });
  t.deepEqual(
    seen.map((each) => each.configuration.isControlPlane),
    [true, false],
  );
  await t.throwsAsync(lookAtAll(nodes, { ...expected, controlPlanes: ['a', 'b'] }), {
    code: 'ERR_PARTIAL',
  });
});

test('who is no administrator is told before anything changes', async (t) => {
  await t.throwsAsync(lookAtAll([plane('a', ['os:operator'], [])], expected), {
    code: 'ERR_ROTATION_NODE',
    message: 'a: to rotate needs os:admin',
  });
});

test('what a node lets in is found, however it hangs up on the rest', async (t) => {
  const fields = { endpoint: 'a', node: undefined };
  for (const error of [
    new ApiError('ERR_API_UNAUTHENTICATED', 'a: it hung up', fields),
    new ApiError('ERR_API_UNREACHABLE', 'a: the connection was lost', { ...fields, fault: 'lost' }),
  ]) {
    const prove = async ({ crt }: { readonly crt: string }): Promise<void> => {
      if (crt !== 'next') throw error;
    };
    const node = Object.assign(plane('a', ['os:admin'], []), { prove });
    const candidates = ['present', 'next'].map((crt) => ({ ca: '', crt, key: '' }));
    const [seen] = await lookAtAll([node], { ...expected, candidates });
    t.is(seen?.credentials.crt, 'next');
    await t.throwsAsync(lookAtAll([node], { ...expected, candidates: candidates.slice(0, 1) }), {
      code: error.code,
    });
  }
});

test('the file of a rotation is made once, for its owner only, and leaves nothing beside it', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, 'rotation.yaml');
  const [former, made] = [await pki.createCA('a'), await pki.createCA('b')];
  const next = { crt: made.crt, key: made.key.bytes.toString() };
  const rotation = { context: 'test', orch: { former: { crt: former.crt }, next } };
  await writeRotation(path, rotation);
  t.deepEqual(await readRotation(path, 'test'), rotation);
  t.is((await stat(path)).mode & 0o777, 0o600);
  const before = await readFile(path, 'utf8');
  await t.throwsAsync(writeRotation(path, { ...rotation, context: 'other' }), { code: 'ERR_ROTATION_FILE' });
  t.is(await readFile(path, 'utf8'), before);
  t.deepEqual(await readdir(directory), ['rotation.yaml']);
  await t.throwsAsync(writeRotation(join(directory, 'none', 'x'), rotation), { code: 'ERR_OUTPUT' });
});

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { ApiError } from '@nodecore/api';
import * as pki from '@nodecore/pki';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { ConfiguredNode } from '../src/rotate-ca/configured.ts';
import { lookAtAll } from '../src/rotate-ca/look.ts';
import type { RotatingNode } from '../src/rotate-ca/rotating-node.ts';
import { readRotation, writeRotation } from '../src/rotate-ca/rotation-file.ts';

type Member = { readonly id: bigint; readonly hostname: string };

/** A control plane whose kvstore has these members; the first is its own. */
function plane(name: string, roles: readonly string[], members: readonly Member[]): RotatingNode {
  const client = {
    access: async () => ({ roles }),
    list: async function* () {
      yield { resources: members.length === 0 ? [] : [{}] };
    },
    kvstore: { status: async () => ({ memberId: members[0]?.id }), members: async () => ({ members }) },
  };
  return {
    name,
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

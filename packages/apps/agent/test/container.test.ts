import { parse } from '@nodecore/config';
import test from 'ava';

import { checkContainer } from '../src/configuration/container-checks.ts';
import { containerOf } from '../src/container/container.ts';
import { authority, rootDocument, volumeDocument } from './documents.ts';

const ca = await authority();

async function userDataOf(text: string): Promise<string | undefined> {
  return await containerOf({ PLATFORM: 'container', USERDATA: text })?.userData();
}

test('a container is known by its platform, and its configuration is for no child', async (t) => {
  t.is(containerOf({ PLATFORM: 'metal', USERDATA: 'eA==' }), undefined);
  t.is(containerOf({ USERDATA: 'eA==' }), undefined);
  const environment = {
    PLATFORM: 'container',
    USERDATA: Buffer.from('version: v1alpha1\n').toString('base64'),
  };
  const container = containerOf(environment);
  t.deepEqual(environment, { PLATFORM: 'container' } as never);
  t.is(await container?.userData(), 'version: v1alpha1\n');
});

test('every start of a container is a boot of its own', (t) => {
  const [one, other] = [1, 2].map(() => containerOf({ PLATFORM: 'container' }));
  t.regex(one?.bootId ?? '', /^[\da-f-]{36}$/);
  t.not(one?.bootId, other?.bootId);
});

test('a container without a configuration has none, and a broken one is said', async (t) => {
  t.is(await containerOf({ PLATFORM: 'container' })?.userData(), undefined);
  await t.throwsAsync(userDataOf('not base64!'), { message: 'USERDATA is no base64' });
  const long = Buffer.alloc((2 << 20) + 3).toString('base64');
  await t.throwsAsync(userDataOf(long), { message: /more than 2097152 bytes/ });
});

test('a container refuses volumes by their names', (t) => {
  using plain = parse(rootDocument(ca));
  t.notThrows(() => checkContainer(plain));
  using disks = parse(`${rootDocument(ca)}${volumeDocument({ name: 'data' })}`);
  t.throws(() => checkContainer(disks), {
    code: 'ERR_APPLY_REFUSED',
    message: 'UserVolumeConfig/data: a container has no disks: it takes no volume documents',
  } as never);
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { metaTag } from '@nodecore/meta';
import { Store } from '@nodecore/state';
import { temporaryDirectory } from '@nodecore/testkit';
import { systemClock } from '@nodecore/waiting';
import test, { type ExecutionContext } from 'ava';

import { metaKeys, metaStatuses } from '../src/meta/definitions.ts';
import { metaKeySpecs, metaStatusSpec } from '../src/meta/keys.ts';
import { metaController } from '../src/meta/meta-controller.ts';
import { Meta } from '../src/persistence/meta.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { apiNode, ca } from './api-node.ts';
import { runControllers, until } from './controllers.ts';
import { rootDocument } from './documents.ts';

async function blank(t: ExecutionContext): Promise<Meta> {
  const path = join(await temporaryDirectory(t), 'meta');
  await writeFile(path, Buffer.alloc(1 << 20));
  return await Meta.open(path);
}

const textOf = (meta: Meta, key: number): string | undefined => meta.get(key)?.toString();

test('before the first configuration anybody writes the keys 10 to 14, and no other', async (t) => {
  const meta = await blank(t);
  const { insecure, lines } = await apiNode(t, { meta });
  const anybody = insecure();
  for (const key of [10, 11, 12, 13, 14])
    await anybody.metaWrite({ key, value: Buffer.from(`value ${key}`) });
  t.deepEqual(
    meta.tags.toSorted((a, b) => a - b),
    [10, 11, 12, 13, 14],
  );
  t.is(Buffer.from(meta.get(10)!).toString(), 'value 10');
  await anybody.metaDelete({ key: 14 });
  t.is(textOf(meta, 14), undefined);
  for (const key of [0, 6, 9, 15, 16, 17, 31]) {
    const value = Buffer.from('x');
    await t.throwsAsync(anybody.metaWrite({ key, value }), { code: 'ERR_API_DENIED' }, `${key}`);
    await t.throwsAsync(anybody.metaDelete({ key }), { code: 'ERR_API_DENIED' }, `${key}`);
  }
  const audited = lines.filter((line) => line.includes('"meta-write"') && line.includes('"audit":true'));
  t.true(audited.length >= 5);
  t.false(
    lines.some((line) => line.includes('value 10')),
    'no value is in the log',
  );
});

test('with a configuration an administrator and a writer of META change keys, and nobody else', async (t) => {
  const meta = await blank(t);
  const { insecure, as, configurator } = await apiNode(t, { meta });
  await configurator.apply({ text: rootDocument(ca), mode: 'auto', dryRun: false, anonymous: true });
  const value = Buffer.from('x');
  for (const role of ['os:admin', 'os:meta:writer']) {
    const client = await as([role]);
    await client.metaWrite({ key: metaTag.machineToken, value });
    await client.metaDelete({ key: metaTag.machineToken });
  }
  await t.throwsAsync(insecure().metaWrite({ key: 10, value }));
  for (const role of ['os:operator', 'os:reader'])
    await t.throwsAsync((await as([role])).metaWrite({ key: 10, value }), { code: 'ERR_API_DENIED' }, role);
  t.deepEqual(meta.tags, []);
});

test("keys of the node itself, and how STATE is opened, are nobody's to change", async (t) => {
  const meta = await blank(t);
  await meta.set(metaTag.stateEncryption, Buffer.from('null'));
  await meta.set(metaTag.linkIdentity, Buffer.from('{}'));
  const { as, configurator } = await apiNode(t, { meta });
  await configurator.apply({ text: rootDocument(ca), mode: 'auto', dryRun: false, anonymous: true });
  const admin = await as(['os:admin']);
  for (const key of [0x20, 0x30, metaTag.linkIdentity, 0xff, 0x100, 2 ** 32 - 1]) {
    await t.throwsAsync(
      admin.metaWrite({ key, value: Buffer.from('x') }),
      { code: 'ERR_API_INVALID' },
      `${key}`,
    );
    await t.throwsAsync(admin.metaDelete({ key }), { code: 'ERR_API_INVALID' }, `${key}`);
  }
  await t.throwsAsync(admin.metaDelete({ key: metaTag.stateEncryption }), {
    message: /how STATE is opened/u,
  });
  t.deepEqual(meta.tags, [metaTag.stateEncryption, metaTag.linkIdentity]);
});

test('a value with a NUL, one that is too long, and a key that is not there are refused by name', async (t) => {
  const meta = await blank(t);
  const { insecure } = await apiNode(t, { meta });
  const anybody = insecure();
  const refused = { code: 'ERR_API_INVALID' };
  await t.throwsAsync(anybody.metaWrite({ key: 12, value: Buffer.of(65, 0, 66) }), {
    ...refused,
    message: /NUL/u,
  });
  await t.throwsAsync(anybody.metaWrite({ key: 12, value: Buffer.alloc(300 << 10, 'x') }), {
    ...refused,
    message: /at most 262144 bytes/u,
  });
  await t.throwsAsync(anybody.metaDelete({ key: 12 }), { code: 'ERR_API_NOT_FOUND' });
  await anybody.metaWrite({ key: 12, value: Buffer.alloc(256 << 10, 'x') });
  await t.throwsAsync(anybody.metaWrite({ key: 13, value: Buffer.alloc(256 << 10, 'x') }), {
    code: 'ERR_API_EXHAUSTED',
  });
  t.deepEqual(meta.tags, [12]);
});

test('a machine without META says so', async (t) => {
  const { insecure } = await apiNode(t);
  await t.throwsAsync(insecure().metaWrite({ key: 12, value: Buffer.from('x') }), {
    message: /no system disk/u,
  });
});

test("values are shown by their keys; not those that open something, nor what is the node's own", (t) => {
  const values = [
    [metaTag.network, Buffer.from('kind: DHCP')],
    [metaTag.stateEncryption, Buffer.from('passphrase')],
    [metaTag.machineToken, Buffer.from('token')],
    [metaTag.userReserved1, Buffer.of(0xff)],
    [metaTag.linkIdentity, Buffer.from('{"key":""}')],
    [metaTag.reset, Buffer.from('{}')],
  ] as const;
  t.deepEqual(Object.fromEntries(metaKeySpecs(values)), {
    '0x0a': { value: 'kind: DHCP' },
    '0x09': { sensitive: true },
    '0x10': { sensitive: true },
    '0x0c': { base64: '/w==' },
  });
});

test('what META keeps is shown from the moment that it was found, and after every change', async (t) => {
  const store = new Store();
  const found: { meta?: Meta } = {};
  const clock = { sleep: () => systemClock.sleep(1) };
  runControllers(
    t,
    store,
    metaController(() => found.meta, clock),
  );
  const meta = await blank(t);
  await meta.set(metaTag.userReserved1, Buffer.from('one'));
  found.meta = meta;
  const shows = (id: string, value: string) => async (): Promise<void> => {
    await until(store, kindOf(metaKeys), (all) =>
      all.some(
        ({ metadata, spec }) => metadata.id === id && JSON.stringify(spec) === JSON.stringify({ value }),
      ),
    );
  };
  await shows('0x0c', 'one')();
  await meta.set(metaTag.userReserved2, Buffer.from('two'));
  await shows('0x0d', 'two')();
  await meta.set(metaTag.userReserved1, undefined);
  const left = await until(store, kindOf(metaKeys), (all) => all.length === 1);
  t.deepEqual(
    left.map(({ metadata }) => metadata.id),
    ['0x0d'],
  );
  const [status] = await until(store, kindOf(metaStatuses), (all) => all.length === 1);
  t.deepEqual([status?.metadata.id, status?.spec], ['meta', { state: 'ready' }]);
});

test('a META that is torn, foreign or blank says so as a resource', (t) => {
  t.deepEqual(metaStatusSpec({ damage: undefined, isBlank: true }), { state: 'blank' });
  for (const kind of ['torn', 'foreign'] as const)
    t.deepEqual(metaStatusSpec({ damage: { kind, message: 'why' }, isBlank: false }), {
      state: kind,
      warning: 'why',
    });
});

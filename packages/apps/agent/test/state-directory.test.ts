import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { firmwareUuid } from '../src/persistence/machine-uuid.ts';
import { StateDirectory } from '../src/persistence/state-directory.ts';

test('a configuration is kept with its number, and nobody else may read it', async (t) => {
  const path = join(await temporaryDirectory(t), 'deep', 'state');
  const state = await StateDirectory.open(path);
  t.is(await state.readConfiguration(), undefined);
  t.is(await state.readVersion(), 0);
  await state.writeConfiguration('a: 1\n', 3);
  const again = await StateDirectory.open(path);
  t.is(await again.readConfiguration(), 'a: 1\n');
  t.is(await again.readVersion(), 3);
  t.is((await stat(join(path, 'config.yaml'))).mode & 0o777, 0o600);
  t.is((await stat(path)).mode & 0o777, 0o700);
});

test('a crash between the number and the configuration leaves the number too high', async (t) => {
  const path = await temporaryDirectory(t);
  const state = await StateDirectory.open(path);
  await state.writeConfiguration('old', 1);
  await mkdir(join(path, 'config.yaml.part')); // the second write fails where a crash would end it
  await t.throwsAsync(state.writeConfiguration('new', 2));
  await rm(join(path, 'config.yaml.part'), { recursive: true });
  t.is(await state.readConfiguration(), 'old');
  t.is(await state.readVersion(), 2);
});

test('a number that is not one is damage, not zero', async (t) => {
  const path = await temporaryDirectory(t);
  const state = await StateDirectory.open(path);
  await writeFile(join(path, 'config.version'), '');
  await t.throwsAsync(state.readVersion(), { code: 'ERR_STATE_DAMAGED' });
});

const disk = { wwid: 'w', serial: 's', model: 'm', size: 2n ** 60n, busPath: '/p', devPath: '/dev/sda' };

test('an intent record comes back as it was put, and is gone when removed', async (t) => {
  const path = await temporaryDirectory(t);
  const { intents } = await StateDirectory.open(path);
  t.is(await intents.get('u-data'), undefined);
  const record = { volumeId: 'u-data', type: 'disk', disk, phase: 'constructing' } as const;
  await intents.put(record);
  t.deepEqual(await (await StateDirectory.open(path)).intents.get('u-data'), record);
  const blank = { method: 'zeroes', doneBytes: 2n ** 60n, encrypted: false } as const;
  await intents.put({ ...record, blank });
  t.deepEqual(await (await StateDirectory.open(path)).intents.get('u-data'), { ...record, blank });
  await intents.remove('u-data');
  t.is(await intents.get('u-data'), undefined);
});

test('a damaged intent record is an error, not an absent one', async (t) => {
  const path = await temporaryDirectory(t);
  const { intents } = await StateDirectory.open(path);
  await writeFile(join(path, 'intents', 'u-data.json'), '{"volumeId":');
  await t.throwsAsync(intents.get('u-data'), { code: 'ERR_STATE_DAMAGED' });
  await t.throwsAsync(intents.get('../config'), { instanceOf: TypeError });
});

test('a machine without firmware UUID gets one for life', async (t) => {
  const path = await temporaryDirectory(t);
  const state = await StateDirectory.open(path);
  t.is(await state.machineUuid(() => 'first'), 'first');
  t.is(await state.machineUuid(() => 'second'), 'first');
  t.is((await readFile(join(path, 'machine-uuid'), 'utf8')).trim(), 'first');
});

test('the firmware UUID is lower case, and its absence is no error', async (t) => {
  const path = join(await temporaryDirectory(t), 'product_uuid');
  t.is(await firmwareUuid(path), undefined);
  await writeFile(path, '4C4C4544-0042-3510-8052-B4C04F4E5031\n');
  t.is(await firmwareUuid(path), '4c4c4544-0042-3510-8052-b4c04f4e5031');
});

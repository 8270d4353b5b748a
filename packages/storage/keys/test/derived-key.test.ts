import { inspect } from 'node:util';

import { type KeyContext, type KeyOptions, type KeySpec, KeysError, recover } from '../src/index.ts';
import { Secret } from '@nodecore/sys';
import test from 'ava';

const obtain = (spec: KeySpec, context: KeyContext, options: KeyOptions = {}): Promise<Secret> =>
  recover(spec, context, [], options);

const context = { machineUuid: '4c4c4544-0051-3610-8052-b4c04f4e3132', volumeId: 'u-data' };

test('a static key is the passphrase, byte for byte, with an owner of its own', async (t) => {
  const bytes = Buffer.from([0x20, 0x00, 0xff, 0x0a]);
  using passphrase = Secret.copy(bytes);
  using key = await obtain({ slot: 0, kind: 'static', passphrase }, context);
  t.true(key.bytes.equals(bytes));
  key[Symbol.dispose]();
  t.true(passphrase.bytes.equals(bytes));
});

test('a nodeID key is the machine UUID followed by the volume id', async (t) => {
  using key = await obtain({ slot: 1, kind: 'nodeID' }, context);
  t.is(key.bytes.toString('latin1'), '4c4c4544-0051-3610-8052-b4c04f4e3132u-data');
});

test('a volume id beyond ASCII is taken as UTF-8', async (t) => {
  using key = await obtain({ slot: 1, kind: 'nodeID' }, { ...context, volumeId: 'u-größe' });
  t.is(key.bytes.toString('utf8'), `${context.machineUuid}u-größe`);
});

test('a machine without a UUID gets no nodeID key', async (t) => {
  const error = await t.throwsAsync(obtain({ slot: 2, kind: 'nodeID' }, { ...context, machineUuid: '' }), {
    instanceOf: KeysError,
    code: 'ERR_KEYS_UUID_MISSING',
  });
  t.is(error?.slot, 2);
  t.is(error?.keyKind, 'nodeID');
  t.is(error?.permanence, 'needs-operator');
});

for (const machineUuid of [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '03000200-0000-0000-0000-000000000000',
  '03000200-0400-0500-0006-000700080009',
]) {
  test(`${machineUuid} identifies nobody`, async (t) => {
    await t.throwsAsync(obtain({ slot: 0, kind: 'nodeID' }, { ...context, machineUuid }), {
      instanceOf: KeysError,
      code: 'ERR_KEYS_UUID_LOW_ENTROPY',
    });
  });
}

test('exactly half of one character is still accepted', async (t) => {
  using key = await obtain({ slot: 0, kind: 'nodeID' }, { machineUuid: 'aaaabcde', volumeId: 'x' });
  t.is(key.sizeBytes, 9);
  await t.throwsAsync(obtain({ slot: 0, kind: 'nodeID' }, { machineUuid: 'aaaaabcde', volumeId: 'x' }), {
    code: 'ERR_KEYS_UUID_LOW_ENTROPY',
  });
});

test('an empty passphrase is refused for good', async (t) => {
  using passphrase = Secret.random(0);
  const error = await t.throwsAsync(obtain({ slot: 4, kind: 'static', passphrase }, context), {
    instanceOf: KeysError,
    code: 'ERR_KEYS_EMPTY',
  });
  t.is(error?.permanence, 'fatal');
});

test('an error shows no key material', async (t) => {
  const machineUuid = `${'7'.repeat(30)}-badcafe`;
  const error = await t.throwsAsync(obtain({ slot: 0, kind: 'nodeID' }, { machineUuid, volumeId: 'u-data' }));
  t.false(inspect(error).includes('badcafe'));
});

test('an aborted request ends with the reason', async (t) => {
  const reason = new Error('enough');
  await t.throwsAsync(obtain({ slot: 0, kind: 'nodeID' }, context, { signal: AbortSignal.abort(reason) }), {
    is: reason,
  });
});

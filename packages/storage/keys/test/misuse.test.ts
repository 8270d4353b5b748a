import test from 'ava';

import { create, type KeySpec, planRotation, recover, rotate, synchronise, unlock } from '../src/index.ts';
import { fakeMachine } from './fake-machine.ts';
import { staticKey } from './specs.ts';
import { provisioned } from './world.ts';

const base = staticKey(0, 'correct horse');

/** As JavaScript may have them. */
const wrong: readonly (readonly [spec: unknown, message: RegExp])[] = [
  [{ slot: 1, kind: 'tmp', pcrs: [7] }, /slot 1.*"tmp"; static, nodeID, kms, tpm are/],
  [{ slot: 1, kind: 'constructor' }, /no kind of key/],
  [{ slot: 1 }, /no kind of key/],
  [{ slot: '1', kind: 'nodeID' }, /slot is not a number/],
  [{ slot: 1, kind: 'static', passphrase: 'hunter2' }, /static key of slot 1: passphrase is not a Secret/],
  [{ slot: 1, kind: 'static', passphrase: Buffer.from('hunter2') }, /Secret\.take/],
  [{ slot: 1, kind: 'static' }, /passphrase/],
  [{ slot: 1, kind: 'kms' }, /endpoint is not a text/],
  [{ slot: 1, kind: 'tpm', pcrs: 7 }, /pcrs is not a list/],
  [undefined, /not an object/],
];

for (const [index, [value, message]] of wrong.entries()) {
  test(`a key that is none is refused before anything is read: ${index + 1}`, async (t) => {
    const { context } = fakeMachine();
    const spec = value as KeySpec;
    const header = await provisioned([base], context);
    using opener = await unlock(header, [base], context);
    const untouchable = new Proxy(header, {
      get: () => {
        throw new Error('touched');
      },
    });
    const expected = { instanceOf: TypeError, message };
    await t.throwsAsync(create(spec, context), expected);
    await t.throwsAsync(recover(spec, context, []), expected);
    await t.throwsAsync(unlock(untouchable, [base, spec], context), expected);
    await t.throwsAsync(unlock(untouchable, [base], context, { previous: [spec] }), expected);
    for (const change of [synchronise, rotate, planRotation])
      await t.throwsAsync(change(untouchable, [base, spec], context, opener), expected);
    const error = await t.throwsAsync(create(spec, context));
    t.false((error?.message ?? '').includes('hunter2'));
  });
}

test('a salt or an opening key that is a text is refused by name', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base], context);
  const salted = { ...context, salt: 'salt' as never };
  await t.throwsAsync(unlock(header, [base], salted), {
    instanceOf: TypeError,
    message: /salt is not a Secret/,
  });
  await t.throwsAsync(synchronise(header, [base], context, { slot: 0, key: 'hunter2' as never }), {
    instanceOf: TypeError,
    message: /opens the volume is not a Secret/,
  });
});

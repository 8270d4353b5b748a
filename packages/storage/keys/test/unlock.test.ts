import { identifyOpener, KeysError, unlock } from '../src/index.ts';
import { writeJournal } from '../src/token/journal.ts';
import { LuksError } from '@nodecore/luks';
import type { Secret } from '@nodecore/sys';
import test from 'ava';

import { FakeHeader } from './fake-header.ts';
import { fakeMachine } from './fake-machine.ts';
import { kmsKey, locked, nodeKey, staticKey, tpmKey } from './specs.ts';
import { provisioned } from './world.ts';

const base = staticKey(0, 'correct horse');

test('keys are tried in slot order, whatever order they are given in', async (t) => {
  const { context } = fakeMachine();
  const specs = [nodeKey(2), tpmKey(1), base];
  const header = await provisioned([base, tpmKey(1), nodeKey(2)], context);
  const tried: number[] = [];
  using opened = await unlock(header, specs, context, {
    open: async ({ slot }) => {
      tried.push(slot);
      return slot === 2;
    },
  });
  t.deepEqual(tried, [0, 1, 2]);
  t.is(opened.slot, 2);
  t.true(opened.spec === specs[0]);
  t.like(opened.failures, [
    { slot: 0, code: 'ERR_KEYS_REJECTED' },
    { slot: 1, code: 'ERR_KEYS_REJECTED' },
  ]);
});

test('sealed keys are fetched together, before anything is tried', async (t) => {
  const { context, kms } = fakeMachine();
  const specs = [kmsKey(1), kmsKey(2), kmsKey(3)];
  const header = await provisioned(specs, context);
  let waiting = 0;
  const all = Promise.withResolvers<void>();
  const together = {
    seal: kms.seal.bind(kms),
    unseal: async (...request: Parameters<typeof kms.unseal>) => {
      waiting += 1;
      if (waiting === specs.length) all.resolve();
      await all.promise;
      return await kms.unseal(...request);
    },
  };
  using opened = await unlock(header, specs, { ...context, keyServer: together });
  t.is(opened.slot, 1);
  t.is(waiting, 3);
});

test('a key server that hangs delays only those that no earlier key opens', async (t) => {
  const { context, kms } = fakeMachine();
  const header = await provisioned([base, kmsKey(1)], context);
  let wasAborted = false;
  const hanging = {
    seal: kms.seal.bind(kms),
    unseal: (_: string, __: unknown, { signal }: { readonly signal?: AbortSignal | undefined }) =>
      new Promise<Secret>((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          wasAborted = true;
          reject(signal.reason);
        });
      }),
  };
  using opened = await unlock(header, [base, kmsKey(1)], { ...context, keyServer: hanging });
  t.is(opened.slot, 0);
  t.true(wasAborted, 'what nobody waits for any more is given up');
});

test('each key tells why it did not open the volume', async (t) => {
  const { context, tpm, kms } = fakeMachine();
  const header = await provisioned([base, tpmKey(1), kmsKey(2), nodeKey(3)], context);
  tpm.changeRegisters();
  kms.refuses = 'ERR_KMS_UNREACHABLE';
  const specs = [staticKey(0, 'wrong'), tpmKey(1), kmsKey(2), locked(nodeKey(3)), nodeKey(9)];
  const error = await t.throwsAsync(unlock(header, specs, context), { instanceOf: KeysError });
  t.is(error?.code, 'ERR_KEYS_NONE');
  t.is(error?.permanence, 'transient', 'the server may come back');
  t.like(error?.failures, [
    { slot: 0, kind: 'static', code: 'ERR_KEYS_REJECTED', permanence: 'needs-operator' },
    { slot: 1, kind: 'tpm', code: 'ERR_TPM_PCR_MISMATCH', permanence: 'needs-operator' },
    { slot: 2, kind: 'kms', code: 'ERR_KMS_UNREACHABLE', permanence: 'transient' },
    { slot: 3, kind: 'nodeID', code: 'ERR_KEYS_SALT_MISSING', permanence: 'transient' },
    { slot: 9, kind: 'nodeID', code: 'ERR_KEYS_SLOT_ABSENT' },
  ]);
  for (const slot of [0, 1, 2, 3, 9]) t.regex(error?.message ?? '', new RegExp(`slot ${slot}:`));
});

test('a wrong passphrase is nothing that waiting helps against', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base], context);
  const error = await t.throwsAsync(unlock(header, [staticKey(0, 'wrong')], context), {
    instanceOf: KeysError,
  });
  t.is(error?.permanence, 'needs-operator');
});

test('no key at all is an error, too', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base], context);
  await t.throwsAsync(unlock(header, [], context), { code: 'ERR_KEYS_NONE' });
});

test('a damaged token costs its own key only', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([tpmKey(0), kmsKey(1)], context);
  header.stored.set(0, { type: 'systemd-tpm2', keyslots: ['0'], 'tpm2-blob': [], 'tpm2-pcrs': 'all' });
  using opened = await unlock(header, [tpmKey(0), kmsKey(1)], context);
  t.is(opened.slot, 1);
  t.like(opened.failures, [{ slot: 0, code: 'ERR_KEYS_TOKEN_UNSUPPORTED' }]);
});

test('a keyslot with several tokens opens with any of them', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([tpmKey(0)], context);
  const good = header.stored.get(0);
  header.stored.set(0, { ...good!, 'tpm2-blob': Buffer.from('another').toString('base64') });
  header.stored.set(5, good!);
  using opened = await unlock(header, [tpmKey(0)], context);
  t.is(opened.slot, 0);
});

test('keys of the configuration before are tried after those of the present one', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base], context);
  using opened = await unlock(header, [staticKey(0, 'new'), nodeKey(1)], context, { previous: [base] });
  t.is(opened.spec, base);
  t.like(opened.failures, [{ slot: 0 }, { slot: 1 }]);
});

test('a key in a spare keyslot, which an interrupted change left, opens the volume', async (t) => {
  const { context } = fakeMachine();
  const header = new FakeHeader(
    new Map([[31, Buffer.from('correct horse')]]),
    new Map([[4, writeJournal({ slot: 0, spare: 31, old: [] })]]),
  );
  using opened = await unlock(header, [base], context);
  t.is(opened.slot, 31);
  t.is(opened.spec, base);
});

test('a new key opens the volume before its token is assigned to its keyslot', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([tpmKey(1)], context);
  header.stored.set(1, { ...header.stored.get(1)!, keyslots: [] });
  await t.throwsAsync(unlock(header, [tpmKey(1)], context), { code: 'ERR_KEYS_NONE' });
  header.stored.set(4, writeJournal({ slot: 1, token: 1, old: [] }));
  using opened = await unlock(header, [tpmKey(1)], context);
  t.is(opened.slot, 1);
});

test('a keyslot that needs more memory than there is keeps no other from being tried', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base, nodeKey(1)], context);
  using opened = await unlock(header, [base, nodeKey(1)], context, {
    open: async ({ slot }) => {
      if (slot === 1) return true;
      throw new LuksError('ERR_LUKS_MEMORY', 'fake', '', 'needs 1048576 KiB');
    },
  });
  t.is(opened.slot, 1);
  t.like(opened.failures, [{ slot: 0, code: 'ERR_LUKS_MEMORY', permanence: 'transient' }]);
});

test('a keyslot on bad sectors keeps no other from being tried', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base, nodeKey(1)], context);
  using opened = await unlock(header, [base, nodeKey(1)], context, {
    open: async ({ slot }) => {
      if (slot === 1) return true;
      throw new LuksError('ERR_LUKS_FAILED', 'fake', 'EIO', 'crypt_activate_by_passphrase on fake: EIO');
    },
  });
  t.is(opened.slot, 1);
  t.like(opened.failures, [{ slot: 0, code: 'ERR_LUKS_FAILED', permanence: 'needs-operator' }]);
});

test('an error that is no rejection ends the attempt', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base, nodeKey(1)], context);
  const busy = new Error('busy');
  await t.throwsAsync(
    unlock(header, [base, nodeKey(1)], context, {
      open: async () => {
        throw busy;
      },
    }),
    { is: busy },
  );
});

test('an aborted unlock ends with the reason', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base, kmsKey(1)], context);
  const reason = new Error('enough');
  const controller = new AbortController();
  await t.throwsAsync(
    unlock(header, [base, kmsKey(1)], context, {
      signal: controller.signal,
      open: async () => {
        controller.abort(reason);
        return false;
      },
    }),
    { is: reason },
  );
});

test('the key that opened belongs to the caller, and all others are wiped', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base, nodeKey(1)], context);
  const tried: Secret[] = [];
  const opened = await unlock(header, [base, nodeKey(1)], context, {
    open: async ({ slot, key }) => {
      tried.push(key);
      return slot === 1;
    },
  });
  for (const key of tried) t.throws(() => key.bytes, { instanceOf: TypeError });
  t.true(opened.key.sizeBytes > 0);
  opened[Symbol.dispose]();
  t.throws(() => opened.key.bytes, { instanceOf: TypeError });
});

test('the key of a mapping that is active already is found by trying, and a reason given when there is none', async (t) => {
  const { context } = fakeMachine();
  const header = await provisioned([base, tpmKey(1)], context);
  using found = await identifyOpener(header, [staticKey(0, 'wrong'), tpmKey(1)], context);
  t.is(found.slot, 1);
  await t.throwsAsync(identifyOpener(header, [staticKey(0, 'wrong')], context), { code: 'ERR_KEYS_NONE' });
});

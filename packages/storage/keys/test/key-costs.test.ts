import { create, type KeySpec, luksKeyslots, rotate, synchronise, unlock } from '../src/index.ts';
import { keyCosts } from '../src/key-costs.ts';
import * as luks from '@nodecore/luks';
import { Secret } from '@nodecore/sys';
import { command, output, program, testWith } from '@nodecore/testkit';
import test from 'ava';

import { fakeMachine } from './fake-machine.ts';
import { imageFile, opensWithProgram, realMachine } from './real-world.ts';
import { kmsKey, locked, nodeKey, staticKey, tpmKey } from './specs.ts';

const withTpm = testWith(program('swtpm'), program('cryptsetup'));
const chosen = { type: 'argon2id', iterations: 4, memoryKib: 64, parallel: 1 } as const;
const base = staticKey(0, 'correct horse');

type Kdf = {
  readonly type: string;
  readonly iterations?: number;
  readonly time?: number;
  readonly memory?: number;
};
type Dumped = { readonly keyslots: Readonly<Record<string, { readonly kdf: Kdf }>> };

/** Key derivations as the cryptsetup program reads them, by slot. */
async function dumped(path: string): Promise<Record<string, string>> {
  const text = await output(['cryptsetup', 'luksDump', '--dump-json-metadata', path]);
  const { keyslots } = JSON.parse(text) as Dumped;
  return Object.fromEntries(
    Object.entries(keyslots).map(([slot, { kdf }]) => {
      const { type, iterations, time, memory } = kdf;
      return [slot, iterations === undefined ? `${type} ${time}×${memory}` : `${type} ${iterations}`];
    }),
  );
}

withTpm(
  'keys of a TPM and of a key server cost the least, passphrases and node identities what was chosen',
  async (t) => {
    const { context: machine, endpoint } = await realMachine(t);
    const context = { ...machine, salt: Secret.random(32) };
    const path = await imageFile(t);
    await luks.format(path, { key: base.passphrase, pbkdf: chosen });
    const header = luksKeyslots(path, { pbkdf: chosen });
    const specs: readonly KeySpec[] = [
      base,
      tpmKey(1),
      kmsKey(2, endpoint),
      nodeKey(3),
      locked(kmsKey(4, endpoint)),
      locked(staticKey(5, 'pass')),
    ];
    using opened = await unlock(header, specs, context);
    t.deepEqual((await synchronise(header, specs, context, opened)).failed, []);
    const costs = {
      0: 'argon2id 4×64',
      1: 'pbkdf2 1000',
      2: 'pbkdf2 1000',
      3: 'argon2id 4×64',
      4: 'pbkdf2 1000',
      5: 'argon2id 4×64',
    };
    t.deepEqual(await dumped(path), costs);
    for (const spec of specs) {
      using alone = await unlock(header, [spec], context);
      t.true(await opensWithProgram(path, alone.key.bytes, spec.slot), `${spec.kind} of slot ${spec.slot}`);
    }
    t.deepEqual((await rotate(header, specs, context, opened, { slots: [2] })).failed, []);
    t.deepEqual(await dumped(path), costs, 'and so after a rotation');
  },
);

withTpm('a keyslot of a TPM key that was made dear stays as it is, and opens', async (t) => {
  const { context } = await realMachine(t);
  const path = await imageFile(t);
  await luks.format(path, { key: base.passphrase, pbkdf: chosen });
  const spec = tpmKey(1);
  using made = await create(spec, context);
  await luks.keyslots.add(path, { existing: base.passphrase, key: made.key, slot: 1, pbkdf: chosen });
  await luks.tokens.set(path, { token: { type: 'systemd-tpm2', ...made.token, keyslots: ['1'] } });
  const header = luksKeyslots(path);
  using opened = await unlock(header, [spec], context);
  const report = await synchronise(header, [base, spec], context, opened);
  t.deepEqual(report.failed, []);
  t.like(report.synced[1], { slot: 1, change: 'none' });
  t.deepEqual(await dumped(path), { 0: 'argon2id 4×64', 1: 'argon2id 4×64' });
});

withTpm('what a random key costs is the least that cryptsetup takes', async (t) => {
  const path = await imageFile(t);
  const iterations = keyCosts(true).pbkdf?.iterations ?? 0;
  const format = ['luksFormat', '--batch-mode', '--type', 'luks2', '--pbkdf', 'pbkdf2'];
  const run = async (count: number): Promise<number | null> => {
    const cost = ['--pbkdf-force-iterations', `${count}`, '--key-file', '-', path];
    return (await command(['cryptsetup', ...format, ...cost], { input: 'key' })).code;
  };
  t.not(await run(iterations - 1), 0);
  t.is(await run(iterations), 0);
});

for (const [spec, isRandom] of [
  [staticKey(1, 'pass'), false],
  [nodeKey(1), false],
  [locked(staticKey(1, 'pass')), false],
  [tpmKey(1), true],
  [kmsKey(1), true],
] as const) {
  const salted = 'lockToState' in spec ? ' with a salt' : '';
  test(`a key of the kind ${spec.kind}${salted} is ${isRandom ? 'random' : 'taken for one that can be guessed'}`, async (t) => {
    const { context } = fakeMachine({ salt: Secret.random(32) });
    using made = await create(spec, context);
    t.is(made.isRandom, isRandom);
  });
}

test('a key that nobody says is random gets what was chosen, or what is the default', (t) => {
  t.deepEqual(keyCosts(undefined, chosen), { pbkdf: chosen });
  t.deepEqual(keyCosts(false), {});
});

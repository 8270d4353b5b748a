import type { KeySpec } from '../src/index.ts';
import type { TokenJson } from '@nodecore/luks';
import test from 'ava';

import { FakeHeader, PowerCut } from './fake-header.ts';
import { fakeMachine } from './fake-machine.ts';
import { oneOf, type Pick, random } from './random.ts';
import { kmsKey, locked, nodeKey, staticKey, tpmKey } from './specs.ts';
import { assertSettled, boot, provisioned, waysIn } from './world.ts';
import { Secret } from '@nodecore/sys';

const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1e9);

function anySpec(slot: number, pick: Pick): KeySpec {
  const make = oneOf(pick, [
    () => staticKey(slot, `pass ${pick(3)}`),
    () => nodeKey(slot),
    () => tpmKey(slot, oneOf(pick, [[7], [0, 7], []])),
    () => kmsKey(slot, `grpc://kms:${1 + pick(2)}`),
  ]);
  const spec = make();
  return pick(4) === 0 ? locked(spec) : spec;
}

/** Keys for some of the first slots; two may be the same passphrase. */
function anySpecs(pick: Pick): readonly KeySpec[] {
  const specs = Array.from({ length: 5 }, (_, slot) => slot)
    .filter(() => pick(2) === 0)
    .map((slot) => anySpec(slot, pick));
  return specs.length > 0 ? specs : [anySpec(pick(5), pick)];
}

test('configurations that change while power fails, writes fail and firmware changes never lock the volume', async (t) => {
  t.log(`CHAOS_SEED=${seed}`);
  const pick = random(seed);
  let changes = 0;
  for (let life = 0; life < 60; life += 1) {
    const { context, tpm, kms } = fakeMachine({ salt: Secret.random(32) });
    // The one key that always works, whatever happens to the machine, and that nobody changes.
    const anchor = staticKey(9, 'anchor');
    let current: readonly KeySpec[] = [anchor];
    let header = await provisioned(current, context);
    header.room = 3 + pick(8);
    const recovery = Buffer.from('recovery');
    header.keys.set(20, recovery);
    header.stored.set(20, { type: 'systemd-recovery', keyslots: ['20'] });
    for (let day = 0; day < 12; day += 1) {
      if (pick(2) === 0) current = [...anySpecs(pick), anchor];
      if (pick(6) === 0) tpm.changeRegisters();
      if (pick(8) === 0) kms.forget();
      kms.refuses = pick(6) === 0 ? 'ERR_KMS_UNREACHABLE' : undefined;
      kms.liesFrom = pick(8) === 0 ? kms.unseals + pick(6) : Infinity;
      header = header.restarted();
      if (pick(2) === 0) header.cutAfter = 1 + pick(20);
      const failing = pick(3) === 0 ? 1 + pick(15) : Infinity;
      let writes = 0;
      header.beforeWrite = () => {
        writes += 1;
        if (writes >= failing) throw Object.assign(new Error('EIO'), { code: 'EIO' });
      };
      try {
        changes += (await boot(header, current, context)).synced.filter(
          ({ change }) => change !== 'none',
        ).length;
      } catch (error) {
        if (!(error instanceof PowerCut)) throw error;
      }
      header = header.restarted();
      t.deepEqual(header.keys.get(20), recovery, `life ${life}, day ${day}`);
      t.true((await waysIn(header, [anchor], context)).size > 0, `life ${life}, day ${day}`);
    }
    kms.refuses = undefined;
    kms.liesFrom = Infinity;
    kms.forget();
    // A quiet day at last: with new material for what was lost.
    header.room = 32;
    const quiet = [anchor, ...current.filter(({ kind }) => kind !== 'kms' && kind !== 'static')];
    const report = await boot(header, quiet, context);
    t.deepEqual(report.failed, [], `life ${life}`);
    await assertSettled(t, header, quiet, context, [20]);
  }
  t.log({ changes });
  t.true(changes > 100);
});

test('a key that only the configuration before has is enough, through cut after cut', async (t) => {
  t.log(`CHAOS_SEED=${seed}`);
  const pick = random(seed + 1);
  for (let life = 0; life < 100; life += 1) {
    const { context } = fakeMachine({ salt: Secret.random(32) });
    const before = anySpecs(pick);
    const after = anySpecs(pick);
    let header = await provisioned(before, context);
    for (let cuts = 0; cuts < 4; cuts += 1) {
      header.cutAfter = header.writes + 1 + pick(12);
      await boot(header, after, context, { previous: before }).catch((error: unknown) => {
        if (!(error instanceof PowerCut)) throw error;
      });
      header = header.restarted();
    }
    t.deepEqual((await boot(header, after, context, { previous: before })).failed, []);
    await assertSettled(t, header, after, context);
  }
});

/** A token that nobody would write by mistake, or that is ours and somewhere it should not be. */
function hostileToken(pick: Pick, used: readonly number[]): TokenJson {
  const slot = (): number => (pick(3) === 0 ? pick(40) - 4 : (used[pick(used.length)] ?? 0));
  const keyslots = pick(2) === 0 ? [] : [String(used[pick(used.length)] ?? 0)];
  const numbers = Array.from({ length: pick(4) }, slot);
  return oneOf<TokenJson>(pick, [
    { type: 'nodecore-rotation', keyslots, version: 1, slot: slot(), spare: slot(), old: numbers },
    { type: 'nodecore-rotation', keyslots, version: 1, slot: slot(), token: slot(), old: numbers },
    {
      type: 'nodecore-rotation',
      keyslots,
      version: 1,
      slot: slot(),
      spare: slot(),
      token: slot(),
      old: numbers,
    },
    { type: 'nodecore-keys', keyslots, version: 1, slots: numbers },
    { type: 'nodecore-kms', keyslots, version: 1, sealed: 'AAAA' },
    { type: 'sideroKMS', keyslots, UserData: { sealedData: 'AAAA' } },
    { type: 'systemd-tpm2', keyslots, 'nodecore-key-name': 'AAAA' },
    { type: 'systemd-fido2', keyslots },
  ]);
}

test("whatever tokens a header has, a synchronisation ends, and what is marked as another owner's stays", async (t) => {
  t.log(`CHAOS_SEED=${seed}`);
  const pick = random(seed + 2);
  for (let life = 0; life < 500; life += 1) {
    const { context } = fakeMachine({ salt: Secret.random(32) });
    const anchor = staticKey(9, 'anchor');
    const specs = [...anySpecs(pick), anchor];
    const header = new FakeHeader(new Map([[9, Buffer.from('anchor')]]));
    for (let count = pick(6); count > 0; count -= 1)
      header.keys.set(pick(32), Buffer.from(`by hand ${count}`));
    header.keys.set(9, Buffer.from('anchor'));
    header.keys.set(20, Buffer.from('recovery'));
    for (let count = pick(6); count > 0; count -= 1) {
      const token = hostileToken(pick, header.slots);
      if (token.type === 'systemd-fido2' && token.keyslots.includes('9')) continue;
      header.stored.set(pick(32), token);
    }
    header.stored.set(31, { type: 'systemd-recovery', keyslots: ['20'] });
    const marked = header.tokens
      .filter(({ json }) => json.type === 'systemd-fido2')
      .flatMap(({ json }) => json.keyslots.map(Number));
    const before = header.restarted();
    await boot(header, specs, context);
    for (const slot of [20, ...marked]) t.deepEqual(header.keys.get(slot), before.keys.get(slot));
    t.true((await waysIn(header, specs, context)).size > 0);
    await boot(header, specs, context);
    const { writes } = header;
    await boot(header, specs, context);
    t.is(header.writes, writes, 'nothing is left to do');
  }
});

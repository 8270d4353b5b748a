import * as disk from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { createLinkIdentity } from '@nodecore/fleet-link';
import { encodeJsonValue, metaTag } from '@nodecore/meta';
import type { Secret } from '@nodecore/sys';
import { program, softwareTpm, temporaryDirectory, testWith } from '@nodecore/testkit';
import { open, TpmError } from '@nodecore/tpm';
import { systemClock } from '@nodecore/waiting';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';

import { inFile, inMeta } from '../src/link/identity-place.ts';
import { identityPlaces, type PlaceForNow } from '../src/link/identity-places.ts';
import { openIdentity } from '../src/link/identity-store.ts';
import { type KeySealer, type SealedKey, tpmSealer } from '../src/link/key-sealer.ts';
import { Link } from '../src/link/link.ts';
import { PersistenceError } from '../src/persistence/errors.ts';
import { Meta } from '../src/persistence/meta.ts';
import { apiNode } from './api-node.ts';
import { fleetPort } from './linked.ts';

const withTpm = testWith(program('swtpm'));

/** A link whose fleet asks for nothing. */
function linkOf({ server }: Awaited<ReturnType<typeof apiNode>>): Link {
  return new Link({
    log: pino({ level: 'silent' }),
    clock: systemClock,
    server,
    facts: () => Promise.reject(new Error('nobody asks')),
    factsChanged: async function* () {},
    lines: async function* () {},
  });
}

/** A blank META partition. */
async function partition(t: ExecutionContext): Promise<string> {
  const path = join(await temporaryDirectory(t), 'meta');
  await disk.writeFile(path, Buffer.alloc(1 << 20));
  return path;
}

/** Gives back what it was given, as a TPM does, and is quicker. */
function sealer(): KeySealer {
  const sealed = new Map<string, Secret>();
  return {
    seal: async (key) => {
      const id = `${sealed.size}`;
      sealed.set(id, key.clone());
      return { id };
    },
    unseal: async ({ id }: SealedKey) => sealed.get(String(id))!.clone(),
  };
}

const noTpm: KeySealer = {
  seal: () => Promise.reject(new TpmError('ERR_TPM_NOT_FOUND', 'this machine has no TPM 2.0')),
  unseal: () => Promise.reject(new TpmError('ERR_TPM_NOT_FOUND', 'this machine has no TPM 2.0')),
};

/** An identity as it lay in META before there was anybody to seal it. */
async function plainIdentity(path: string): Promise<string> {
  using key = (await createLinkIdentity()).key;
  const text = key.bytes.toString('base64');
  const meta = await Meta.open(path);
  await meta.set(metaTag.linkIdentity, encodeJsonValue({ key: text, certificate: 'CERTIFICATE' }));
  return text;
}

withTpm(
  'the key of a machine on the link lies in META sealed to its TPM, and no other TPM gives it',
  async (t) => {
    const path = await partition(t);
    const [own, other] = [await softwareTpm(t), await softwareTpm(t)];
    const of = ({ tcti }: typeof own): KeySealer => tpmSealer(() => open({ tcti }));
    const made = await openIdentity(inMeta(await Meta.open(path), { sealer: of(own) }));
    t.true('sealed' in made.protection);
    const bytes = await disk.readFile(path);
    t.false(bytes.includes(made.key.bytes));
    t.false(bytes.includes(made.key.bytes.toString('base64')));
    const again = await openIdentity(inMeta(await Meta.open(path), { sealer: of(own) }));
    t.true(again.key.equals(made.key));
    await t.throwsAsync(openIdentity(inMeta(await Meta.open(path), { sealer: of(other) })), {
      code: 'ERR_TPM_DIFFERENT',
    });
    t.deepEqual(await disk.readFile(path), bytes, 'nothing takes its place');
  },
);

test('a key that lay there plainly is sealed, and nothing of it is left in META', async (t) => {
  const path = await partition(t);
  const plain = await plainIdentity(path);
  // A longer record before it: the copy that is written over ends behind the next one.
  const meta = await Meta.open(path);
  await meta.set(metaTag.userReserved1, Buffer.alloc(4096, 'x'));
  await meta.set(metaTag.userReserved1, undefined);
  t.true((await disk.readFile(path)).includes(plain));
  const identity = await openIdentity(inMeta(await Meta.open(path), { sealer: sealer() }));
  t.is(identity.key.bytes.toString('base64'), plain);
  t.is(identity.certificate, 'CERTIFICATE');
  t.false((await disk.readFile(path)).includes(plain));
});

test('cut off after any write, the identity is the same, and is sealed without a rest in the end', async (t) => {
  const keeper = sealer();
  for (let writes = 0; ; writes += 1) {
    const path = await partition(t);
    const plain = await plainIdentity(path);
    let left = writes;
    const cut: typeof disk.open = async (file, flags) => {
      if (flags === 'r+' && left-- === 0) throw new Error('the power is cut');
      return await disk.open(file, flags);
    };
    let isWhole = true;
    try {
      await openIdentity(inMeta(await Meta.open(path, { open: cut }), { sealer: keeper }));
    } catch {
      isWhole = false;
    }
    const identity = await openIdentity(inMeta(await Meta.open(path), { sealer: keeper }));
    t.is(identity.key.bytes.toString('base64'), plain);
    t.false((await disk.readFile(path)).includes(plain), `after ${writes} writes`);
    if (!isWhole) continue;
    t.is(writes, 4, 'sealed, two copies overwritten, and said so');
    return;
  }
});

test('without a TPM the key stays as it is, and the reason is said', async (t) => {
  const path = await partition(t);
  const made = await openIdentity(inMeta(await Meta.open(path), { sealer: noTpm }));
  t.regex(JSON.stringify(made.protection), /plain.*no TPM/u);
  const again = await openIdentity(inMeta(await Meta.open(path), { sealer: noTpm }));
  t.true(again.key.equals(made.key));
  t.regex(JSON.stringify(again.protection), /plain.*no TPM/u);
});

/** A machine whose META appears when it is told to. */
async function machine(t: ExecutionContext) {
  const directory = await temporaryDirectory(t);
  const state = {
    meta: undefined as Meta | undefined,
    problem: new PersistenceError('ERR_STATE_NO_SYSTEM_DISK', 'no system disk'),
  };
  const told: string[] = [];
  const stop = new AbortController();
  t.teardown(() => stop.abort());
  const temporary = inFile(join(directory, 'link-identity.json'), 'there is no META');
  const parts = {
    state: () => state,
    clock: { sleep: async () => await setImmediate() },
    temporary,
    sealer: sealer(),
    waits: (reason: string) => told.push(reason),
  };
  return { state, told, temporary, places: identityPlaces(parts, stop.signal) };
}

/** The next place, which has to come at once. */
async function next(places: AsyncGenerator<PlaceForNow, void>): Promise<PlaceForNow> {
  const { value } = await places.next();
  if (value === undefined) throw new Error('there is no place any more');
  return value;
}

test('before anything is installed the identity is in memory, and it moves to META, sealed, when that is there', async (t) => {
  const { state, told, temporary, places } = await machine(t);
  const first = await next(places);
  t.deepEqual(told, ['no system disk']);
  const before = await openIdentity(first.place);
  t.deepEqual(before.protection, { plain: 'there is no META' });
  t.false(first.signal.aborted);
  state.meta = await Meta.open(await partition(t));
  const second = await next(places);
  t.true(first.signal.aborted, 'the place of before is given up');
  const after = await openIdentity(second.place);
  t.true(after.key.equals(before.key));
  t.true('sealed' in after.protection);
  t.is(await temporary.read(), undefined);
});

test('an identity that META has is not replaced by the one in memory', async (t) => {
  const { state, temporary, places } = await machine(t);
  const before = await openIdentity((await next(places)).place);
  const path = await partition(t);
  const plain = await plainIdentity(path);
  state.meta = await Meta.open(path);
  const after = await openIdentity((await next(places)).place);
  t.is(after.key.bytes.toString('base64'), plain);
  t.false(after.key.equals(before.key));
  t.is(await temporary.read(), undefined);
});

test('more than one META is no machine without: no other identity is made', async (t) => {
  const { state, told, places } = await machine(t);
  state.problem = new PersistenceError('ERR_STATE_AMBIGUOUS', 'several system disks');
  const coming = next(places);
  for (let turns = 0; turns < 200; turns += 1) await setImmediate();
  t.deepEqual(told, ['several system disks']);
  const meta = await Meta.open(await partition(t));
  state.meta = meta;
  await openIdentity((await coming).place);
  t.deepEqual(meta.tags, [metaTag.linkIdentity]);
});

test('the status of the link says how the key is kept, and why nothing dials', async (t) => {
  const fleet = await fleetPort(t);
  const node = await apiNode(t);
  const link = linkOf(node);
  const status = (): unknown => link.status;
  link.wait('no system disk');
  t.is(status(), undefined, 'there is nothing to dial');
  link.use(fleet.url);
  link.wait('no system disk');
  t.like(status(), { connected: false, state: 'waiting', reason: 'no system disk' });
  const path = await partition(t);
  const stop = new AbortController();
  const session = fleet.session();
  const running = link.run(inMeta(await Meta.open(path), { sealer: noTpm }), stop.signal);
  t.teardown(async () => {
    stop.abort();
    await running;
  });
  await session;
  t.like(status(), { key: 'plain', keyReason: 'tpm: this machine has no TPM 2.0' });
});

test('a key that its TPM does not give back keeps the machine from its fleet, with the reason', async (t) => {
  const fleet = await fleetPort(t);
  const node = await apiNode(t);
  const path = await partition(t);
  await openIdentity(inMeta(await Meta.open(path), { sealer: sealer() }));
  const link = linkOf(node);
  link.use(fleet.url);
  const place = inMeta(await Meta.open(path), { sealer: noTpm });
  await t.throwsAsync(link.run(place, AbortSignal.timeout(5_000)), { code: 'ERR_TPM_NOT_FOUND' });
  t.regex(JSON.stringify(link.status), /identity of this machine can not be had: .*no TPM/u);
});

test('a machine without a fleet makes no identity', async (t) => {
  const node = await apiNode(t);
  const path = await partition(t);
  const link = linkOf(node);
  const stop = new AbortController();
  const meta = await Meta.open(path);
  const running = link.run(inMeta(meta, { sealer: sealer() }), stop.signal);
  await setImmediate();
  stop.abort();
  await running;
  t.deepEqual(meta.tags, []);
});

import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { metaTag } from '@nodecore/meta';
import * as pki from '@nodecore/pki';
import { parse } from '@nodecore/config';
import test from 'ava';

import { Meta } from '../src/persistence/meta.ts';

import { encrypted, root, setUp } from './state-node.ts';

const kmsKey = { slot: 0, lockToState: false, kind: 'kms', endpoint: 'grpcs://kms.example:4050' } as const;

/** STATE whose keys are at a key server, with an authority of its own. */
async function atServer(slot = 0): Promise<string> {
  const { crt } = await pki.createCA('kms');
  const certificates = crt.trim().replaceAll('\n', '\n  ');
  return `${root}---
apiVersion: v1alpha1
kind: VolumeConfig
name: STATE
encryption:
  provider: luks2
  keys: [{slot: ${slot}, kms: {endpoint: "grpcs://kms.example:4050"}}]
---
apiVersion: v1alpha1
kind: TrustedRootsConfig
name: kms
certificates: |
  ${certificates}
`;
}

async function stored(metaPath: string): Promise<Record<string, unknown>> {
  const bytes = (await Meta.open(metaPath)).get(metaTag.stateEncryption);
  return (JSON.parse(Buffer.from(bytes ?? []).toString()) ?? {}) as Record<string, unknown>;
}

test('META has the endpoint of a key server and the authority that vouches for it', async (t) => {
  const { latest, signal, make, present, volumes, metaPath, trusted } = await setUp(t);
  volumes.answer = () => ({ phase: 'ready' });
  const state = make();
  latest.set(present);
  await state.search(signal).next();
  const configuration = parse(await atServer());
  await state.prepare(configuration);
  t.deepEqual((await stored(metaPath))['keys'], [kmsKey]);
  const [root] = configuration.all('TrustedRootsConfig').flatMap(({ certificates }) => certificates);
  t.deepEqual((await stored(metaPath))['roots'], [root]);

  volumes.apply([]); // nothing of it is left after a reboot
  const rebooted = make();
  await rebooted.search(signal).next();
  t.deepEqual(trusted.at(-1), [root]);
});

test('keys of before stay in META until STATE has the new ones; those on trial are in it too', async (t) => {
  const { latest, signal, make, present, volumes, metaPath } = await setUp(t);
  volumes.answer = () => ({ phase: 'ready' });
  const state = make();
  latest.set(present);
  await state.search(signal).next();
  await state.prepare(parse(encrypted));
  const changed = parse(await atServer(2));
  await state.prepareTrial(changed);
  t.like(await stored(metaPath), {
    keys: [{ kind: 'nodeID' }],
    previousKeys: [{ slot: 2, kind: 'kms' }],
  });
  await state.prepare(changed);
  t.like(await stored(metaPath), {
    keys: [{ slot: 2, kind: 'kms' }],
    previousKeys: [{ kind: 'nodeID' }],
  });
  volumes.apply([]); // nothing of it is left after a reboot
  const rebooted = make();
  await rebooted.search(signal).next();
  t.like(volumes.applied.at(-1)?.[0], { previousKeys: [{ kind: 'nodeID' }] });
  await state.settle(changed);
  t.is((await stored(metaPath))['previousKeys'], undefined);
});

test('STATE that is found late is opened with its own keys, and takes none of a first configuration', async (t) => {
  const { latest, signal, make, present, volumes, metaPath } = await setUp(t);
  volumes.answer = () => ({ phase: 'ready' });
  const state = make();
  latest.set(present);
  const search = state.search(signal);
  await search.next();
  const directory = state.prepare(parse(encrypted)); // an earlier life
  await directory;
  volumes.apply([]);
  const kept = await stored(metaPath);
  const foreign = parse(await atServer(2));
  for (const holdsConfiguration of [true, false]) {
    volumes.answer = (spec) => ({ phase: spec.provision ? 'waiting' : 'missing' });
    const rebooted = make();
    await rebooted.search(signal).next();
    const applied = volumes.applied.length;
    const preparing = rebooted.prepare(foreign);
    while (volumes.applied.length < applied + 2) await new Promise(setImmediate);
    const spec = volumes.applied.at(-1)?.[0];
    t.like(spec, { keepKeyslots: true, previousKeys: [{ slot: 0, kind: 'nodeID' }] });
    // A power cut here: STATE is opened, and its keyslots are made, as the one before says.
    t.like(await stored(metaPath), { keys: [{ kind: 'nodeID' }], previousKeys: [{ slot: 2, kind: 'kms' }] });
    if (holdsConfiguration) await (await directory).writeConfiguration(root, 1);
    else await rm(join((await directory).path, 'config.yaml'));
    if (spec !== undefined) volumes.become(spec, { phase: 'ready' });
    await preparing;
    if (holdsConfiguration) t.deepEqual(await stored(metaPath), kept);
    else t.like(await stored(metaPath), { keys: [{ slot: 2, kind: 'kms' }] });
    volumes.apply([]);
  }
});

test('a first configuration in clear leaves META what opens STATE until STATE is made in clear', async (t) => {
  const { latest, signal, make, present, volumes, metaPath } = await setUp(t);
  volumes.answer = () => ({ phase: 'ready', encryptionProvider: 'luks2' });
  const state = make();
  latest.set(present);
  await state.search(signal).next();
  await state.prepare(parse(encrypted));
  const kept = await stored(metaPath);
  await state.prepare(parse(root)); // whatever else refuses it: STATE is open, and encrypted
  await state.settle(parse(root));
  t.deepEqual(await stored(metaPath), kept);

  volumes.apply([]);
  volumes.answer = () => ({ phase: 'missing' });
  const rebooted = make();
  await rebooted.search(signal).next();
  volumes.answer = () => ({ phase: 'waiting' });
  const applied = volumes.applied.length;
  const preparing = rebooted.prepare(parse(root));
  while (volumes.applied.length < applied + 2) await new Promise(setImmediate);
  t.deepEqual(await stored(metaPath), kept);
  const spec = volumes.applied.at(-1)?.[0];
  if (spec !== undefined) volumes.become(spec, { phase: 'ready' });
  await preparing;
  t.is((await stored(metaPath))['keys'], undefined);
});

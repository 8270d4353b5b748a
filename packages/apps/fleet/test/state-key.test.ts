import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { defaultJoinTokens } from '@nodecore/fleet-api';
import { sqliteState } from '@nodecore/state/sqlite';
import { Secret } from '@nodecore/sys';
import test from 'ava';

import { FleetError } from '../src/errors.ts';
import { features } from '../src/features.ts';
import { tokens } from '../src/tokens/feature.ts';
import { kindOf } from '../src/tokens/join-token.ts';
import { directory, fleetOf } from './scene.ts';

const email = 'canary@example.org';
const setUp = { instanceOf: FleetError, code: 'ERR_FLEET_SETUP' } as const;

/** The default token of a fleet that has ended, and what stands in the files of its state. */
async function lookInto(stateFile: string, keyPath: string): Promise<{ token: string; bytes: Buffer }> {
  const files = (await readdir(dirname(stateFile))).filter((name) => /\.db(?:-wal)?$/u.test(name));
  const bytes = await Promise.all(files.map(async (name) => await readFile(join(dirname(stateFile), name))));
  using key = Secret.take(await readFile(keyPath));
  await using state = await sqliteState(stateFile, { sealing: { keys: [key], types: [] } });
  const { resources } = await state.list(kindOf(defaultJoinTokens));
  const { tokenId } = resources[0]!.spec as { readonly tokenId: string };
  return { token: tokenId, bytes: Buffer.concat(bytes) };
}

test('tokens and names of users do not stand in the files of the state, and a new key replaces the old one', async (t) => {
  const stateFile = join(await directory(t), 'fleet.db');
  const options = { announce: () => {} };
  const first = await fleetOf(t, { ...options, with: { stateFile, initialUser: email } });
  const running = Buffer.concat([await readFile(stateFile), await readFile(`${stateFile}-wal`)]);
  await first[Symbol.asyncDispose]();
  t.is((await stat(`${stateFile}.key`)).mode & 0o777, 0o600);
  const { token, bytes } = await lookInto(stateFile, `${stateFile}.key`);
  t.regex(token, /^\w{43}$/u);
  for (const text of [token, email])
    for (const place of [running, bytes]) t.false(place.includes(text), text);

  const stateKey = join(dirname(stateFile), 'new.key');
  const renewed = { stateFile, stateKey, formerStateKeys: [`${stateFile}.key`] };
  await (await fleetOf(t, { ...options, with: renewed }))[Symbol.asyncDispose]();
  t.is((await lookInto(stateFile, stateKey)).token, token);
  await t.throwsAsync(fleetOf(t, { ...options, with: { stateFile } }), { code: 'ERR_STATE_KEY' });
});

test('a key that is missing, or is none, is not replaced by another', async (t) => {
  const stateFile = join(await directory(t), 'fleet.db');
  const start = async (): Promise<unknown> => await fleetOf(t, { features: [tokens], with: { stateFile } });
  await (await fleetOf(t, { features: [tokens], with: { stateFile } }))[Symbol.asyncDispose]();
  const key = await readFile(`${stateFile}.key`);
  const before = await readFile(stateFile);
  await rm(`${stateFile}.key`);
  await t.throwsAsync(start(), { ...setUp, message: /fleet\.db\.key is missing: put it back/u });
  t.false((await readdir(dirname(stateFile))).includes('fleet.db.key'));
  await writeFile(`${stateFile}.key`, 'too short');
  await t.throwsAsync(start(), { ...setUp, message: /a key has 32 bytes, not 9/u });
  t.deepEqual(await readFile(stateFile), before);
  await writeFile(`${stateFile}.key`, key);
  await t.notThrowsAsync(start());
});

test('every type that only some may read is sealed, and so are the tokens', (t) => {
  const open = features
    .flatMap(({ definitions }) => definitions)
    .filter(({ sensitive, sealed }) => !sensitive && sealed !== true)
    .map(({ displayType }) => displayType);
  t.deepEqual(open.sort(), ['Link', 'Machine', 'MachineStatus', 'PendingMachine']);
});

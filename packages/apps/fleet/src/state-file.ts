import { open } from 'node:fs/promises';

import type { FleetDefinition } from '@nodecore/fleet-api';
import { isSealedFile, type SqliteState, sqliteState } from '@nodecore/state/sqlite';
import { codeOf, Secret, writeFileAtomic } from '@nodecore/sys';
import type { Clock } from '@nodecore/waiting';

import type { FleetConfiguration } from './configuration.ts';
import { FleetError } from './errors.ts';
import type { Log } from './log.ts';

const keyBytes = 32;

/** What decides how the state is opened. */
export type StateFileParts = {
  readonly configuration: Pick<FleetConfiguration, 'stateFile' | 'stateKey' | 'formerStateKeys'>;
  readonly definitions: readonly FleetDefinition[];
  readonly clock: Clock;
  readonly log: Log;
};

/** Where the key of a state lies unless it is said. */
export function stateKeyPath(stateFile: string): string {
  return `${stateFile}.key`;
}

/**
 * Opens the state. What is sensitive, and the tokens by which machines join, is encrypted in its file; the key is in a file of
 * its own, made at the first start.
 *
 * @throws {FleetError} `ERR_FLEET_SETUP` when a key is missing or is none; nothing is made or changed then.
 * @throws {StateError} what the state says: `ERR_STATE_KEY` for a key of another state.
 */
export async function openState({
  configuration,
  definitions,
  clock,
  log,
}: StateFileParts): Promise<SqliteState> {
  const { stateFile, stateKey = stateKeyPath(stateFile), formerStateKeys = [] } = configuration;
  using keys = new DisposableStack();
  const former: Secret[] = [];
  for (const path of formerStateKeys) {
    const key = await readKey(path, log);
    if (key === undefined) throw new FleetError('ERR_FLEET_SETUP', `${path} is missing`);
    former.push(keys.use(key));
  }
  let key = await readKey(stateKey, log);
  if (key === undefined) {
    // A new key does not open what was sealed with the one that is lost.
    if (former.length === 0 && (await isSealedFile(stateFile)))
      throw new FleetError('ERR_FLEET_SETUP', `${stateKey} is missing: put it back`);
    key = Secret.random(keyBytes);
    await writeFileAtomic(stateKey, key.bytes);
  }
  keys.use(key);
  const types = definitions.filter(({ sensitive, sealed }) => sensitive || sealed === true);
  const sealing = { keys: [key, ...former], types: types.map(({ type }) => type) };
  return await sqliteState(stateFile, { clock, sealing });
}

/** Undefined when there is no such file. */
async function readKey(path: string, log: Log): Promise<Secret | undefined> {
  try {
    await using file = await open(path, 'r');
    const { mode, size } = await file.stat();
    if (size !== keyBytes)
      throw new FleetError('ERR_FLEET_SETUP', `${path}: a key has ${keyBytes} bytes, not ${size}`);
    if ((mode & 0o077) !== 0) log.warn({ path }, 'the key of the state can be read by others');
    using key = Secret.zeros(keyBytes);
    const { bytesRead } = await file.read(key.bytes, 0, keyBytes, 0);
    if (bytesRead !== keyBytes)
      throw new FleetError('ERR_FLEET_SETUP', `${path}: it changes while it is read`);
    return key.clone();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (error instanceof FleetError) throw error;
    throw new FleetError('ERR_FLEET_SETUP', `${path}: ${codeOf(error) ?? 'it can not be read'}`);
  }
}

import { systemClock } from '@nodecore/waiting';

import { DowngradeAction, Maintenance } from '../gen/etcdserverpb.js';
import { Deadline } from './deadline.ts';
import { isKvstoreError, KvstoreError } from './errors.ts';
import { inspect } from './inspect.ts';
import type { CallOptions, Kvstore } from './kvstore.ts';

/** Members of 3.5 do what is asked and never answer: after this time it is looked whether it is done. */
const patienceMs = 1_000;
const lookEveryMs = 200;
const defaultTimeoutMs = 10_000;

/**
 * Asks whether the cluster can go back to a version, `MAJOR.MINOR`. Changes nothing.
 *
 * @returns the version of the cluster now.
 * @throws {KvstoreError} `ERR_KVSTORE_DOWNGRADE` when it can't, or when a downgrade is under way.
 */
export async function validateDowngrade(
  kvstore: Kvstore,
  version: string,
  options: CallOptions = {},
): Promise<string> {
  if (!/^\d{1,3}\.\d{1,3}$/.test(version)) {
    const message = 'no version to go back to; write MAJOR.MINOR, such as 3.5';
    throw new KvstoreError('ERR_KVSTORE_DOWNGRADE', JSON.stringify(version.slice(0, 40)), message);
  }
  const request = { action: DowngradeAction.VALIDATE, version };
  return (await kvstore.read(Maintenance.downgrade, request, options)).version;
}

/**
 * Opens the way back to a version: members of it may join from now on, one after the other in place of the newer ones.
 *
 * @returns the version of the cluster now.
 * @throws {KvstoreError} `ERR_KVSTORE_DOWNGRADE` when it can't, or when a downgrade is under way.
 */
export async function enableDowngrade(
  kvstore: Kvstore,
  version: string,
  options: CallOptions = {},
): Promise<string> {
  const now = await validateDowngrade(kvstore, version, options);
  const request = { action: DowngradeAction.ENABLE, version };
  await confirmed(
    (limits) => kvstore.write(Maintenance.downgrade, request, limits),
    // It was possible a moment ago: now it is under way.
    (limits) => saysDowngrade(validateDowngrade(kvstore, version, limits)),
    options,
  );
  return now;
}

/**
 * Ends a downgrade that has not begun to change data.
 *
 * @returns the version of the cluster then.
 * @throws {KvstoreError} `ERR_KVSTORE_DOWNGRADE` when none is under way.
 */
export async function cancelDowngrade(kvstore: Kvstore, options: CallOptions = {}): Promise<string> {
  const cancel = (limits: CallOptions): Promise<{ version: string }> =>
    kvstore.write(Maintenance.downgrade, { action: DowngradeAction.CANCEL }, limits);
  // Asked for twice, the second one is told that there is none any more.
  await confirmed(cancel, (limits) => saysDowngrade(cancel(limits)), options);
  return lowestVersion(kvstore, options);
}

/** Does something whose answer may never come, and then looks until it is done or the time is over. */
async function confirmed(
  change: (limits: CallOptions) => Promise<unknown>,
  isDone: (limits: CallOptions) => Promise<boolean>,
  { signal, timeoutMs = defaultTimeoutMs }: CallOptions,
): Promise<void> {
  const deadline = new Deadline(timeoutMs);
  const limits = { signal, timeoutMs: patienceMs };
  try {
    await change(limits);
  } catch (error) {
    signal?.throwIfAborted();
    if (!isUnanswered(error)) throw error;
    while (!(await isDone(limits))) {
      if (deadline.remainingMs < lookEveryMs) throw error;
      await systemClock.sleep(lookEveryMs, signal);
    }
  }
}

async function saysDowngrade(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return false;
  } catch (error) {
    if (isKvstoreError(error, 'ERR_KVSTORE_DOWNGRADE')) return true;
    if (isUnanswered(error)) return false;
    throw error;
  }
}

function isUnanswered(error: unknown): boolean {
  return isKvstoreError(error, 'ERR_KVSTORE_TIMEOUT', 'ERR_KVSTORE_NO_LEADER');
}

/** The version of a cluster is the lowest of its members', without the last number. */
async function lowestVersion(kvstore: Kvstore, options: CallOptions): Promise<string> {
  const { members } = await inspect(kvstore, options);
  const versions = members.flatMap(({ status }) => (status === undefined ? [] : [numbersOf(status.version)]));
  const [[major, minor] = [0, 0]] = versions.toSorted(
    ([major, minor], [otherMajor, otherMinor]) => major - otherMajor || minor - otherMinor,
  );
  return `${major}.${minor}.0`;
}

function numbersOf(version: string): [number, number] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return [major, minor];
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ExecutionContext } from 'ava';
import { pino } from 'pino';

import type { FleetConfiguration } from '../src/configuration.ts';
import { type FleetOptions, type RunningFleet, startFleet } from '../src/fleet.ts';

/** A directory that is removed after the test. */
export async function directory(t: ExecutionContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'fleet-'));
  t.teardown(async () => await rm(path, { recursive: true, force: true }));
  return path;
}

/** A fleet manager in this process, on a port of its own, that ends with the test. */
export async function fleetOf(
  t: ExecutionContext,
  options: Partial<FleetOptions> & { readonly with?: Partial<FleetConfiguration> } = {},
): Promise<RunningFleet> {
  const { with: given, ...rest } = options;
  const configuration: FleetConfiguration = {
    listen: { host: '127.0.0.1', port: 0 },
    advertisedUrl: new URL('https://127.0.0.1:8080'),
    stateFile: given?.stateFile ?? join(await directory(t), 'fleet.db'),
    ...given,
  };
  const fleet = await startFleet({ log: pino({ level: 'silent' }), configuration, ...rest });
  t.teardown(async () => await fleet[Symbol.asyncDispose]());
  return fleet;
}

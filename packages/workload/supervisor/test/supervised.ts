import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import type { Clock } from '@nodecore/waiting';
import type { ExecutionContext } from 'ava';

import { type ServiceEvent, type ServiceStatus, Supervisor, type SupervisorOptions } from '../src/index.ts';

export type Scene = {
  readonly supervisor: Supervisor;
  readonly directory: string;
  /** `id state`, in their order. */
  readonly events: readonly string[];
};

/** A supervisor in a directory of the test's own; what it runs ends with the test. */
export async function scene(
  t: ExecutionContext,
  options: Partial<SupervisorOptions> & { readonly clock?: Clock } = {},
): Promise<Scene> {
  const directory = options.directory ?? join(await temporaryDirectory(t), 'services');
  await mkdir(directory, { recursive: true });
  const events: string[] = [];
  const told = (id: string, { state }: ServiceEvent): void => void events.push(`${id} ${state}`);
  const supervisor = await Supervisor.open({ directory, tethered: true, told, ...options });
  t.teardown(async () => {
    await supervisor.stop();
    await supervisor[Symbol.asyncDispose]();
  });
  return { supervisor, directory, events };
}

/** The status of a service as soon as it is as wanted; the test's own limit ends the wait. */
export async function until(
  { supervisor }: Scene,
  id: string,
  wanted: (status: ServiceStatus) => boolean,
): Promise<ServiceStatus> {
  for (;;) {
    const next = supervisor.changed.next();
    const found = supervisor.list.find((each) => each.id === id);
    if (found !== undefined && wanted(found)) return found;
    await next;
  }
}

/** Everything that a service has printed, as text. */
export async function printedBy({ supervisor }: Scene, id: string): Promise<string> {
  const pieces = await Array.fromAsync(supervisor.get(id).log.read());
  return Buffer.concat(pieces.map(({ data }) => data)).toString();
}

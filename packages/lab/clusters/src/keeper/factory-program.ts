import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

import { InsideProgram, Namespace } from '@nodecore/lan';
import { tethered } from '@nodecore/sys';

import type { ClusterDirectory } from '../directory.ts';
import { ClusterError } from '../errors.ts';
import { type FactoryPlace, factoryPlace, hasRelease, ownFactoryProblems } from '../own-factory.ts';
import { type ClusterPlan, factoryOf } from '../plan.ts';

/** Who hears of what happens. */
type Say = (line: string) => void;

/**
 * Starts the image factory of the checkout for a cluster, at the port of its plan; a release that is missing is built first. It ends with
 * the result, and with this process, and is started again when it ends by itself.
 *
 * @param storage directory that factories of several clusters share, with the key that signs installers.
 * @param say hears of steps of a build, and when it is started again.
 * @throws {ClusterError} `ERR_CLUSTER_PREFLIGHT` without a checkout; `ERR_CLUSTER_IMAGE` when the release can't be built, and when it takes no schematic.
 * @throws {LanError} `ERR_LAN_COMMAND` when it does not start.
 */
export async function startOwnFactory(
  plan: ClusterPlan,
  directory: ClusterDirectory,
  storage: string,
  say: Say,
  place: FactoryPlace | undefined = factoryPlace(),
): Promise<AsyncDisposable> {
  const { factory, request, lan } = plan;
  const problems = ownFactoryProblems(request, place);
  if (factory === undefined || place === undefined || problems.length > 0)
    throw new ClusterError('ERR_CLUSTER_PREFLIGHT', problems.join('\n'));
  if (!hasRelease(place, request.version)) await buildRelease(place, request.version, say);
  const listen = `${factory.address}:${factory.port}`;
  const places = ['--listen', listen, '--releases', place.releases, '--storage', storage];
  const isAtGateway = lan?.outlets.some(({ target }) => target.port === factory.port) === true;
  // What is in an image says where it is from: at the gateway that is the same each time, and so is the image.
  const from = isAtGateway ? ['--external-url', `http://${factoryOf(plan)}`] : [];
  const program = await InsideProgram.start(
    new Namespace(lan?.namespace ?? `os-${plan.id.slice(0, 16)}`),
    {
      name: 'the image factory',
      argv: [...place.serve, 'serve', ...places, ...from],
      isOnHost: true,
      mark: listen,
      log: join(directory.lan, 'factory.log'),
      ready: { words: 'nodecore-factory answers at' },
    },
    say,
  );
  try {
    await submitEmpty(`http://${listen}`);
    return program;
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
}

/** A factory makes images of schematics that somebody has submitted; of a new one nobody has, and a cluster wants the empty one. */
async function submitEmpty(origin: string): Promise<void> {
  const answer = await fetch(`${origin}/schematics`, { method: 'POST', body: '{}' });
  const text = await answer.text();
  if (answer.ok) return;
  const words = `the image factory of this checkout takes no schematic: ${answer.status}: ${text.trim()}`;
  throw new ClusterError('ERR_CLUSTER_IMAGE', words);
}

/** Builds of one checkout wait for each other. */
async function buildRelease({ build }: FactoryPlace, version: string, say: Say): Promise<void> {
  say(`there is no release ${version} of this checkout yet: it is built, which takes minutes`);
  const child = tethered([...build, '--version', version], { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  let last = '';
  const read = async (stream: unknown, hear: Say): Promise<void> => {
    for await (const line of createInterface(stream as Readable)) hear(line);
  };
  const steps = read(child.stdout, (line) => {
    if (/^ *[\d.]+ s {2}/.test(line)) say(`release: ${line.trim()}`);
  });
  const errors = read(child.stderr, (line) => {
    if (line.trim() !== '') last = line.trim();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  await Promise.all([steps, errors]);
  if (code === 0) return;
  const words = `the release ${version} of this checkout can't be built: ${last}`;
  throw new ClusterError('ERR_CLUSTER_IMAGE', words);
}

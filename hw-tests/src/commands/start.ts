/**
 * `npm start`: a node with its volumes, in the background.
 *
 * Boots it unless it runs, from the release of this checkout, gives it its first configuration, waits until every volume is ready, makes the virtual node
 * the only member of its kvstore, puts its context into the user's client config, and says what there is and what to try.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { ApiError } from '@nodecore/api';
import { Listr } from 'listr2';

import { type MergedContext, mergeContext } from '../node/client-context.ts';
import { administrator, type NodeSecrets, nodeSecrets, osctl } from '../node/credentials.ts';
import { ensureKvstore } from '../node/kvstore.ts';
import { runningNode } from '../node/record.ts';
import type { ServingNode } from '../node/serving-node.ts';
import { configure, startSupervisor, untilHostServes } from '../node/start-node.ts';
import { type NodeName, startOptions, usage, type StartOptions } from '../node/start-options.ts';
import {
  switchOn,
  untilVirtualServes,
  virtualDirectory,
  virtualInspectPort,
  virtualNodeRuns,
  virtualPort,
} from '../node/virtual-node.ts';
import { inWords, VolumesError, waitForVolumes } from '../node/volumes.ts';
import { checkout } from '../paths.ts';

type Context = { serving?: ServingNode; secrets?: NodeSecrets; merged?: MergedContext; hasKvstore?: boolean };

/** Longer than an emulated processor takes on a busy machine. */
const bootLimitMs = 5 * 60_000;
const volumesLimitMs = 3 * 60_000;
const kvstoreLimitMs = 3 * 60_000;

const example = join(checkout, 'examples', 'node.yaml');

async function main(options: StartOptions): Promise<void> {
  const { name, directory, port } = options;
  const signal = AbortSignal.timeout(bootLimitMs);
  const context: Context = {};
  const virtual = virtualDirectory(directory);
  const tasks = new Listr<Context>(
    [
      {
        title: `start ${name}`,
        task: async (_, task) => {
          const say = (line: string): void => {
            task.output = line;
          };
          const ran = !options.fresh && (await runs(name, directory));
          if (ran) {
            const inspected = await inspectPortOf(name, directory);
            if (options.inspectPort !== undefined && options.inspectPort !== inspected)
              throw new TypeError(`${name} runs without --inspect ${options.inspectPort}: npm stop first`);
            task.title = `${name} runs already`;
          }
          if (name === 'virtual-node' && !ran) await switchOn(options, say);
          if (name === 'host-node' && !ran) await startSupervisor(options);
          say('the agent starts');
          const now = name === 'virtual-node' ? ((await virtualPort(virtual)) ?? port) : port;
          const secrets = await nodeSecrets(name, name === 'virtual-node' ? virtual.path : directory, now);
          context.secrets = secrets;
          context.serving =
            name === 'virtual-node'
              ? await untilVirtualServes(virtual, secrets, signal)
              : await untilHostServes(options, signal);
        },
      },
      {
        title: 'apply the first configuration',
        skip: () => context.serving?.phase === 'configured' && 'it has one',
        task: async (_, task) => {
          const { serving, secrets } = required(context);
          task.output = `node certificate ${serving.fingerprint}`;
          for (const warning of await configure(options, serving, secrets, signal)) task.output = warning;
        },
      },
      {
        title: 'client config',
        task: async (_, task) => {
          const { serving, secrets } = required(context);
          const merged = await mergeContext(name, secrets, serving.port);
          context.merged = merged;
          task.title = `context ${merged.name} in ${merged.path}`;
          if (merged.taken !== undefined)
            task.title += `: ${name} is another node's, at ${merged.taken}, and was left alone`;
        },
      },
      {
        title: 'volumes',
        task: async (_, task) => {
          const { serving, secrets } = required(context);
          await using client = await administrator(name, secrets, serving.port);
          const system = name === 'virtual-node' ? ['STATE', 'EPHEMERAL'] : [];
          const volumes = await waitForVolumes(
            client,
            system,
            (volume, ready, all) => {
              task.title = `volumes: ${ready} of ${all} ready`;
              task.output = inWords(volume);
            },
            AbortSignal.timeout(volumesLimitMs),
          );
          task.title = `volumes: all ${volumes.length} ready`;
        },
      },
      {
        title: 'kvstore',
        // On a host that is not ours nobody starts etcd, which listens for others, unless he is asked to.
        skip: () => name === 'host-node' && 'kvstore: waits for osctl bootstrap',
        task: async (_, task) => {
          const { serving, secrets } = required(context);
          await using client = await administrator(name, secrets, serving.port);
          const say = (message: string): void => {
            task.output = message;
          };
          const how = await ensureKvstore(client, say, AbortSignal.timeout(kvstoreLimitMs));
          task.title = `kvstore: ${how ?? 'not in the configuration'}`;
          context.hasKvstore = how !== undefined;
        },
      },
    ],
    { concurrent: false, fallbackRenderer: 'simple', rendererOptions: { collapseSubtasks: false } },
  );
  const started = performance.now();
  let problem: VolumesError | undefined;
  try {
    await tasks.run(context);
  } catch (error) {
    if (!(error instanceof VolumesError)) throw error;
    problem = error; // the node runs, and what there is tells more
  }
  const { merged } = context;
  const chosen = merged?.taken === undefined ? [] : ['--context', merged.name];
  show('disks', 'get', 'disks', ...chosen);
  show('volumes', 'get', 'volumestatuses', ...chosen);
  if (context.hasKvstore === true) show('kvstore', 'kvstore', 'status', ...chosen);
  if (merged?.taken !== undefined)
    console.log(
      `\nosctl speaks to the node at ${merged.taken} unless you say: osctl --context ${merged.name} …`,
    );
  console.log(nextCommands(name, directory));
  const inspectPort = await inspectPortOf(name, directory);
  if (inspectPort !== undefined) console.log(`debugger of the agent: node inspect 127.0.0.1:${inspectPort}`);
  if (problem !== undefined) throw problem;
  console.log(`\n${name} is ready (${((performance.now() - started) / 1000).toFixed(1)} s)`);
}

function required({ serving, secrets }: Context): {
  readonly serving: ServingNode;
  readonly secrets: NodeSecrets;
} {
  if (serving === undefined || secrets === undefined) throw new TypeError('the node was not started');
  return { serving, secrets };
}

async function inspectPortOf(name: NodeName, directory: string): Promise<number | undefined> {
  if (name === 'virtual-node') return await virtualInspectPort(virtualDirectory(directory));
  return (await runningNode(directory))?.inspectPort;
}

async function runs(name: NodeName, directory: string): Promise<boolean> {
  if (name === 'virtual-node') return await virtualNodeRuns(virtualDirectory(directory));
  return (await runningNode(directory)) !== undefined;
}

/** Prints what the user's next command would print. */
function show(title: string, ...argv: readonly string[]): void {
  console.log(`\n${title}`);
  spawnSync(process.execPath, [osctl, ...argv], { stdio: 'inherit' });
}

/** What a node found in the configuration. */
function problemsOf(error: unknown): string[] {
  if (!(error instanceof ApiError)) return [];
  return error.problems.map(({ line, column, document, path, message }) => {
    const where = [document, path].filter((part) => part !== '').join(' ');
    return `${line}:${column}: ${where === '' ? '' : `${where}: `}${message}`;
  });
}

function nextCommands(name: string, directory: string): string {
  const kvstore =
    name === 'virtual-node'
      ? 'npx osctl kvstore members                     npx osctl kvstore snapshot FILE'
      : 'npx osctl bootstrap                           npx osctl kvstore status';
  const stay = name === 'virtual-node' ? 'its disks stay' : 'its volumes are unmounted and stay';
  const log =
    name === 'virtual-node'
      ? `console of the machine: ${virtualDirectory(directory).console({ index: 1 })}`
      : `log of the agent: ${join(directory, 'agent.log')}`;
  return `
try next
  npx osctl get disks                           npx osctl get volumestatuses -w
  npx osctl mounts                              npx osctl get rd
  npx osctl get machineconfig -o yaml           npx osctl apply-config -f FILE --dry-run
  ${kvstore}
${log}
npm stop ends the node; ${stay}`;
}

try {
  const options = startOptions(process.argv.slice(2), example);
  if (options.name === 'host-node' && process.getuid?.() !== 0) {
    throw new Error('the agent needs root on this machine: sudo npm start -- --host');
  }
  await main(options);
} catch (error) {
  console.error(`npm start: ${error instanceof Error ? error.message : String(error)}`);
  for (const line of problemsOf(error)) console.error(`  ${line}`);
  if (error instanceof TypeError) console.error(usage);
  process.exitCode = 1;
}

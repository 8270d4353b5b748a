import { type CallOptions, type Client, decodeSpec, listAll, listDefinitions } from '@nodecore/api';
import type { CgroupsResponse } from '@nodecore/api/cgroup';
import { presetNames, presetSchema } from '@nodecore/cgroup/schema';
import { showResource } from '@nodecore/api/readings';
import { stringifyJson } from '@nodecore/sys/pure';
import { stringify as yaml } from 'yaml';

import { CgroupsView } from '../cgroups/view.ts';

/** Asks a node for something. */
export type Ask = { readonly client: Client; readonly name: string; readonly options: CallOptions };

/** A file of the archive and how it comes to be. */
export type Collector = {
  readonly file: string;
  readonly collect: (ask: Ask) => Promise<string | Uint8Array>;
};

/** As much of a file is kept; what is behind it is left out, and said. */
export const largestEntry: number = 64 << 20;

const members = 'KvstoreMembers.kvstore.nodecore.dev';

/** What every node is asked for. */
const always: readonly Collector[] = [
  json('version.json', ({ client, options }) => client.version(options)),
  json('access.json', ({ client, options }) => client.access(options)),
  json('health.json', ({ client, options }) => client.health(options)),
  json('controllers.json', ({ client, options }) => client.dependencies(options)),
  json('mounts.json', async ({ client, options }) => (await client.mounts(options)).mounts),
  json('services.json', async ({ client, options }) => (await client.services.list(options)).services),
  json('capture/interfaces.json', ({ client, options }) => client.captureInterfaces(options)),
  json('capture/files.json', ({ client, options }) => client.captureFiles(options)),
  json('cgroups.json', cgroups),
  json(
    'pressure.json',
    async ({ client, options }) => await first(client.pressure({ top: 100, names: true }, options)),
  ),
  json('memory.json', async ({ client, options }) => (await client.counters.memory(options)).values),
  json('processors.json', ({ client, options }) => client.counters.processors(options)),
  json('load.json', ({ client, options }) => client.counters.loadAverage(options)),
  json('disk-counters.json', ({ client, options }) => client.counters.disks(options)),
  json('interface-counters.json', ({ client, options }) => client.counters.interfaces(options)),
  lines('processes.jsonl', async function* ({ client, options }) {
    for await (const { processes } of client.activity.processes({}, options))
      // Programs are given passwords as arguments, in forms that nobody knows.
      for (const { args, ...process } of processes)
        yield stringifyJson({ ...process, arguments: args.length });
  }),
  lines('sockets.jsonl', async function* ({ client, options }) {
    const request = { protocols: [...socketProtocols], processes: true };
    for await (const { sockets } of client.activity.sockets(request, options))
      for (const socket of sockets) yield stringifyJson(socket);
  }),
  lines('events.jsonl', async function* ({ client, options }) {
    for await (const { events } of client.events({ tailEvents: -1, pastOnly: true }, options))
      for (const event of events) yield stringifyJson(event);
  }),
  lines('dmesg.log', async function* ({ client, options }) {
    for await (const { records } of client.dmesg({}, options))
      for (const { timeMicros, facility, priority, message } of records)
        yield `${new Date(Number(timeMicros / 1000n)).toISOString()} ${facility} ${priority}: ${message}`;
  }),
];

const socketProtocols = ['tcp', 'tcp6', 'udp', 'udp6', 'udplite', 'udplite6', 'raw', 'raw6'] as const;

const ofKvstore: readonly Collector[] = [
  json('kvstore/status.json', ({ client, options }) => client.kvstore.status(options)),
  json(
    'kvstore/members.json',
    async ({ client, options }) => (await client.kvstore.members(options)).members,
  ),
  json('kvstore/alarms.json', async ({ client, options }) => (await client.kvstore.alarms(options)).alarms),
];

/** Everything there is to ask this node for: also what it alone has, its services and types of resources. */
export async function collectorsOf(ask: Ask): Promise<readonly Collector[]> {
  const { client, options } = ask;
  const [{ roles }, definitions, logs, { resources: local }] = await Promise.all([
    client.access(options),
    listDefinitions(client, options),
    logsOf(ask),
    listAll(client, { type: members }, options).catch(() => ({ resources: [] })),
  ]);
  return [
    ...always,
    ...(local.length > 0 ? ofKvstore : []),
    ...logs.map(logOf),
    ...definitions.map(({ type, sensitive }) => resourcesOf(type, sensitive)),
    ...(roles.includes('os:admin') ? [configuration] : []),
  ];
}

/** Logs of services and of others; those of services alone of a node that does not list the others. None where neither is known. */
async function logsOf({ client, options }: Ask): Promise<readonly string[]> {
  try {
    return (await client.services.logsContainers(options)).ids;
  } catch {
    const { services } = await client.services.list(options).catch(() => ({ services: [] }));
    return services.map(({ id }) => id); // services.json says what was wrong
  }
}

/** The text that was applied, from which the node has taken the secrets. */
const configuration: Collector = {
  file: 'configuration.yaml',
  collect: async ({ client, options }) => {
    const { resources } = await listAll(client, { type: 'MachineConfigs.config.nodecore.dev' }, options);
    return resources.map(({ spec }) => String(decodeSpec(spec))).join('---\n');
  },
};

/** Of a sensitive type what it has is not even asked for. */
function resourcesOf(type: string, sensitive: boolean): Collector {
  return {
    file: `resources/${type.toLowerCase()}.yaml`,
    collect: async ({ client, name, options }) => {
      if (sensitive) return '# sensitive: left out\n';
      const { resources } = await listAll(client, { type }, options);
      return resources
        .map((resource) => yaml(showResource(name, resource), { lineWidth: 0, aliasDuplicateObjects: false }))
        .join('---\n');
    },
  };
}

function logOf(id: string): Collector {
  return {
    file: `logs/${id}.log`,
    collect: async ({ client, options }) => {
      const pieces: Uint8Array[] = [];
      let size = 0;
      for await (const { data } of client.services.logs({ id }, options)) {
        pieces.push(data);
        size += data.length;
        if (size > largestEntry) break;
      }
      return Buffer.concat(pieces);
    },
  };
}

async function cgroups({ client, options }: Ask): Promise<unknown> {
  const files = [...new Set(presetNames.flatMap((name) => presetSchema(name).files))];
  const view = new CgroupsView();
  const messages: AsyncIterable<CgroupsResponse> = client.cgroups(
    { files, names: true, processes: true },
    options,
  );
  for await (const message of messages) view.accept(message);
  return view.cgroups.map((cgroup) => {
    const texts = files.map((file) => [file, cgroup.text(file)] as const);
    const { path, name, processes } = cgroup;
    return {
      path,
      name: name?.name,
      processes,
      files: Object.fromEntries(texts.filter(([, text]) => text !== undefined)),
    };
  });
}

async function first<Item>(items: AsyncIterable<Item>): Promise<Item | undefined> {
  for await (const item of items) return item;
  return undefined;
}

function json(file: string, ask: (ask: Ask) => Promise<unknown>): Collector {
  return { file, collect: async (node) => `${stringifyJson(await ask(node), 2)}\n` };
}

function lines(file: string, ask: (ask: Ask) => AsyncIterable<string>): Collector {
  return {
    file,
    collect: async (node) => {
      const all: string[] = [];
      let size = 0;
      for await (const line of ask(node)) {
        all.push(`${line}\n`);
        size += line.length;
        if (size > largestEntry) break;
      }
      return all.join('');
    },
  };
}

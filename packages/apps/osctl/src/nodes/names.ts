import { listAll, listDefinitions, loadOsconfig, resolveType, type OsContext } from '@nodecore/api';
import { FileType } from '@nodecore/api/file';
import { type Candidate, parseDuration, type Terminal } from '@nodecore/cli';
import type { GlobalFlags, MaintenanceFlags } from '../global-flags.ts';
import { Targets, type Target } from './target.ts';

/** Asks for names that only the client config or a node knows. */
export type Names = {
  readonly contexts: () => Promise<readonly string[]>;
  readonly endpoints: () => Promise<readonly string[]>;
  readonly nodes: () => Promise<readonly string[]>;
  readonly types: () => Promise<readonly Candidate[]>;
  readonly ids: (type: string) => Promise<readonly string[]>;
  /** Files in the directory that a path begins with; directories end with a slash. */
  readonly paths: (path: string) => Promise<readonly string[]>;
  /** Network interfaces that can be captured on. */
  readonly interfaces: () => Promise<readonly string[]>;
  /** Services, and other logs. */
  readonly logs: () => Promise<readonly string[]>;
};

/** Nobody waits longer for a suggestion; over a slow link, or on a busy machine, OSCTL_COMPLETION_TIMEOUT allows more. */
const defaultTimeout = '1s';

/** Names from the client config and the first node of the flags. What can't be found out is no name and no error. */
export function readNames(flags: GlobalFlags & MaintenanceFlags, { env, signal }: Terminal): Names {
  const limits = (): { signal: AbortSignal; timeoutMs: number } => ({
    signal,
    timeoutMs: parseDuration(env['OSCTL_COMPLETION_TIMEOUT'] ?? defaultTimeout),
  });
  const context = async (): Promise<OsContext> => {
    const { osconfig } = await loadOsconfig({ flag: flags.osconfig, env });
    const found = osconfig.context(flags.context);
    found.key?.[Symbol.dispose]();
    return found;
  };
  const ask = async <Answer>(
    question: (target: Target) => Promise<readonly Answer[]>,
  ): Promise<readonly Answer[]> => {
    await using targets = await Targets.open(flags, { env });
    const [first] = targets.all;
    return first === undefined ? [] : await question(first);
  };
  return {
    contexts: () => quietly(async () => (await loadOsconfig({ flag: flags.osconfig, env })).osconfig.names),
    endpoints: () => quietly(async () => (await context()).endpoints),
    nodes: () =>
      quietly(async () => {
        const { nodes, endpoints } = await context();
        return [...new Set([...nodes, ...endpoints])];
      }),
    types: () =>
      quietly(() =>
        ask(async ({ client, node }) => {
          const definitions = await listDefinitions(client, { node, ...limits() });
          return definitions.map(({ type, description }) => ({
            value: type.toLowerCase().replace(/\..*$/, ''),
            description,
          }));
        }),
      ),
    ids: (name) =>
      quietly(() =>
        ask(async ({ client, node }) => {
          const options = { node, ...limits() };
          const [definition] = resolveType(await listDefinitions(client, options), name);
          if (definition === undefined) return [];
          const { resources } = await listAll(client, { type: definition.type }, options);
          return resources.flatMap(({ metadata }) => metadata?.id ?? []);
        }),
      ),
    paths: (path) => quietly(() => ask((target) => pathsOf(target, path, limits()))),
    interfaces: () =>
      quietly(() =>
        ask(async ({ client, node }) => {
          const { interfaces } = await client.captureInterfaces({ node, ...limits() });
          return interfaces.map(({ name }) => name);
        }),
      ),
    logs: () =>
      quietly(() =>
        ask(async ({ client, node }) => (await client.services.logsContainers({ node, ...limits() })).ids),
      ),
  };
}

/** As many as anybody looks at. */
const mostPaths = 500;

async function pathsOf(
  { client, node }: Target,
  typed: string,
  limits: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<readonly string[]> {
  const directory = typed.slice(0, typed.lastIndexOf('/') + 1) || '/';
  const request = { root: Buffer.from(directory), depth: 1 };
  const found: string[] = [];
  for await (const { entries } of client.files.list(request, { node, ...limits }))
    for (const { path, type } of entries) {
      const name = Buffer.from(path).toString();
      // A word of a shell has no room for the others.
      if (!/^[\w.+@:,=-]+$/u.test(name) || found.length === mostPaths) continue;
      if (`${directory}${name}`.startsWith(typed || '/'))
        found.push(`${directory}${name}${type === FileType.DIRECTORY ? '/' : ''}`);
    }
  return found;
}

async function quietly<Name>(find: () => Promise<readonly Name[]>): Promise<readonly Name[]> {
  try {
    return await find();
  } catch {
    return []; // a message in the middle of a line being typed helps nobody
  }
}

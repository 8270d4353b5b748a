import {
  ApiError,
  decodeSpec,
  follow,
  listAll,
  listDefinitions,
  type ResourceDefinition,
  resolveType,
} from '@nodecore/api';
import {
  type Format,
  formatObjects,
  formatStreamed,
  linesOf,
  print,
  Table,
  type Terminal,
  UsageError,
} from '@nodecore/cli';
import { JsonPath } from '@nodecore/cli/json-path';
import type { FleetClient } from '@nodecore/fleet-api';
import { type LabelTerm, Phase, type Resource } from '@nodecore/fleet-api/protocol';

/** What is asked for. */
export type Query = {
  readonly type: string;
  readonly id: string | undefined;
  readonly namespace: string | undefined;
  readonly labels: readonly LabelTerm[];
};

const markers = { created: '+', updated: '', destroyed: '-' } as const;

/** Prints what exists now. */
export async function getResources(
  client: FleetClient,
  query: Query,
  format: Format,
  { out, signal }: Terminal,
): Promise<void> {
  const { definition, kind } = await kindOf(client, query, signal);
  const { id, labels } = query;
  const listing = { list: (request: typeof kind) => client.list({ ...request, labels }, { signal }) };
  const resources =
    id === undefined
      ? (await listAll(listing, kind, { signal })).resources
      : [(await client.get({ ...kind, id }, { signal })).resource].filter((each) => each !== undefined);
  if (format.kind !== 'table') {
    const objects = resources.map((resource) => shown(resource));
    await print(out, await formatObjects(objects, format, { single: id !== undefined }));
    return;
  }
  const columns = new Columns(definition);
  await print(out, new Table(columns.headers).format(resources.map((resource) => columns.row(resource))));
}

/** Prints what exists and then every change, until interrupted. */
export async function watchResources(
  client: FleetClient,
  query: Query,
  format: Format,
  terminal: Terminal,
): Promise<void> {
  const { out, signal } = terminal;
  const { definition, kind } = await kindOf(client, query, signal);
  const { id, labels } = query;
  const columns = new Columns(definition);
  const table = new Table(['*', ...columns.headers]);
  const onInterruption = (error: unknown): void => {
    terminal.error.write(`fleetctl: ${linesOf(error)[0]}; connecting again\n`);
  };
  const watched = {
    watch: (request: typeof kind, options: object) => client.watch({ ...request, labels }, options),
  };
  const target = { ...kind, ...(id !== undefined && { id }) };
  for await (const changes of follow(watched, target, { signal, onInterruption })) {
    const seen = changes.filter((change) => change.kind !== 'bootstrapped');
    if (format.kind === 'table') {
      await print(
        out,
        table.format(seen.map(({ kind: what, resource }) => [markers[what], ...columns.row(resource)])),
      );
    } else {
      for (const { kind: what, resource } of seen)
        await print(out, await formatStreamed({ event: what, ...shown(resource) }, format));
    }
  }
}

async function kindOf(
  client: FleetClient,
  { type: name, namespace }: Query,
  signal: AbortSignal,
): Promise<{ definition: ResourceDefinition; kind: { type: string; namespace: string } }> {
  const found = resolveType(await listDefinitions(client, { signal }), name);
  const [definition, ...others] = found;
  const { endpoint } = client;
  if (definition === undefined)
    throw new ApiError('ERR_API_NOT_FOUND', `no resource type "${name}"; list them with fleetctl get rd`, {
      endpoint,
    });
  if (others.length > 0)
    throw new UsageError(
      `"${name}" is ambiguous: say one of ${found.map(({ type }) => type.toLowerCase()).join(', ')}`,
    );
  const { type, defaultNamespace } = definition;
  return { definition, kind: { type, namespace: namespace ?? defaultNamespace } };
}

class Columns {
  readonly headers: readonly string[];
  readonly #paths: readonly JsonPath[];

  constructor({ printColumns }: ResourceDefinition) {
    this.#paths = printColumns.map(({ jsonPath }) => new JsonPath(jsonPath));
    this.headers = ['id', 'version', ...printColumns.map(({ name }) => name)];
  }

  row({ metadata, spec }: Resource): string[] {
    const value = decodeSpec(spec);
    return [
      metadata?.id ?? '',
      String(metadata?.version ?? ''),
      ...this.#paths.map((path) => path.column(value)),
    ];
  }
}

function shown({ metadata, spec }: Resource): object {
  const { namespace, type, id, version, owner, phase } = metadata ?? {};
  const texts = { labels: metadata?.labels ?? {}, annotations: metadata?.annotations ?? {} };
  const present = Object.entries(texts).filter(([, map]) => Object.keys(map).length > 0);
  return {
    metadata: {
      namespace,
      type,
      id,
      version,
      owner,
      phase: phase === Phase.TEARING_DOWN ? 'tearingDown' : 'running',
      created: timeOf(metadata?.createdMillis),
      updated: timeOf(metadata?.updatedMillis),
      ...Object.fromEntries(present),
      ...((metadata?.finalizers.length ?? 0) > 0 && { finalizers: metadata?.finalizers }),
    },
    spec: decodeSpec(spec),
  };
}

/** RFC 3339 in UTC, to the second. */
function timeOf(millis = 0n): string {
  return new Date(Number(millis)).toISOString().replace(/\.\d+Z$/, 'Z');
}

import {
  ApiError,
  isFormerName,
  listDefinitions,
  resolveType,
  type CallOptions,
  type ResourceDefinition,
} from '@nodecore/api';
import { printable, type Terminal, UsageError } from '@nodecore/cli';
import type { Target } from '../nodes/target.ts';

/** What the user asked for. */
export type Query = {
  readonly type: string;
  readonly id: string | undefined;
  readonly namespace: string | undefined;
};

/**
 * The type a name means on a node.
 *
 * @throws {ApiError} when there is none of that name; {UsageError} when there are several.
 */
export async function findDefinition(
  { client, node, name: target }: Target,
  name: string,
  options: CallOptions,
): Promise<ResourceDefinition> {
  const found = resolveType(await listDefinitions(client, { ...options, node }), name);
  const [definition, ...others] = found;
  if (definition === undefined)
    throw new ApiError(
      'ERR_API_NOT_FOUND',
      `${target}: no resource type "${name}"; list them with osctl get rd`,
      {
        endpoint: client.endpoint,
        node,
      },
    );
  if (others.length > 0)
    throw new UsageError(
      `"${name}" is ambiguous: say one of ${found.map(({ type }) => type.toLowerCase()).join(', ')}`,
    );
  return definition;
}

/** Says on standard error when the name that was asked for is one of an earlier version. */
export function tellFormerName(definition: ResourceDefinition, name: string, terminal: Terminal): void {
  if (!isFormerName(definition, name)) return;
  const now = definition.type.split('.', 1)[0]?.toLowerCase() ?? definition.type;
  terminal.error.write(
    `osctl: ${printable(name.toLowerCase())} is deprecated: the same rows are in ${printable(now)}\n`,
  );
}

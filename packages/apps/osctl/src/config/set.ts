import { parseEndpoint, type Osconfig } from '@nodecore/api';

import { UsageError } from '@nodecore/cli';
import { edit, type ConfigOptions } from './file.ts';

/** @throws {OsconfigError} `ERR_OSCONFIG_CONTEXT` for a name that is not in the file, which then stays as it was. */
export async function useContext(options: ConfigOptions, name: string): Promise<void> {
  await edit(options, ({ osconfig }) => osconfig.use(name));
}

/**
 * Replaces the endpoints of the context of `--context`, else of the current one.
 *
 * @throws {UsageError} for text that is no endpoint, before the file is read.
 */
export async function setEndpoints(options: ConfigOptions, endpoints: readonly string[]): Promise<void> {
  for (const endpoint of endpoints) checkEndpoint(endpoint);
  await edit(options, ({ osconfig }) => osconfig.setEndpoints(contextName(osconfig, options), endpoints));
}

/** Replaces the nodes of the context, without a check of their names; an empty list removes them all. */
export async function setNodes(options: ConfigOptions, nodes: readonly string[]): Promise<void> {
  await edit(options, ({ osconfig }) => osconfig.setNodes(contextName(osconfig, options), nodes));
}

/** The context of `--context`, else the current one; an error says what to do when there is none. */
function contextName(osconfig: Osconfig, { context }: ConfigOptions): string {
  const { name, key } = osconfig.context(context);
  key?.[Symbol.dispose]();
  return name;
}

function checkEndpoint(text: string): void {
  try {
    parseEndpoint(text);
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

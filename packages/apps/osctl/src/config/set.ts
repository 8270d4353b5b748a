import { parseEndpoint, parseProxy, shownProxy, type Osconfig } from '@nodecore/api';

import { print, UsageError } from '@nodecore/cli';
import { edit, load, type ConfigOptions } from './file.ts';

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

/**
 * Replaces the proxy of the context: a URL, `direct`, or nothing for what the environment says.
 *
 * @throws {UsageError} for text that is no proxy, before the file is read; it is not repeated, as it may have a password.
 */
export async function setProxy(options: ConfigOptions, url: string): Promise<void> {
  if (url !== '' && url !== 'direct') checkProxy(url);
  await edit(options, ({ osconfig }) =>
    osconfig.setProxy(contextName(osconfig, options), url === '' ? undefined : url),
  );
}

/** Prints the proxy of the context, without its password; nothing when it has none of its own. */
export async function printProxy(options: ConfigOptions): Promise<void> {
  const { osconfig } = await load(options);
  const { proxyUrl, key } = osconfig.context(options.context);
  key?.[Symbol.dispose]();
  if (proxyUrl !== undefined && proxyUrl !== '')
    await print(options.terminal.out, `${shownProxy(proxyUrl)}\n`);
}

/**
 * Gives a context another name.
 *
 * @throws {OsconfigError} `ERR_OSCONFIG_CONTEXT` for one that is not there, {@link UsageError} for a name that is taken.
 */
export async function renameContext(options: ConfigOptions, from: string, to: string): Promise<void> {
  await edit(options, ({ osconfig }) => {
    if (osconfig.names.includes(to))
      throw new UsageError(`context "${to}" exists in ${osconfig.path}; remove it or take another name`);
    osconfig.rename(from, to);
  });
}

/** The context of `--context`, else the current one; an error says what to do when there is none. */
function contextName(osconfig: Osconfig, { context }: ConfigOptions): string {
  const { name, key } = osconfig.context(context);
  key?.[Symbol.dispose]();
  return name;
}

function checkProxy(text: string): void {
  try {
    parseProxy(text);
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

function checkEndpoint(text: string): void {
  try {
    parseEndpoint(text);
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

import { editOsconfig, type OsContext } from '@nodecore/api';
import { print, type Terminal, UsageError } from '@nodecore/cli';

import type { GlobalFlags } from '../flags.ts';
import { loadConfig } from '../session.ts';

/** Adds the context to the client config of osctl; one of its name that goes to a fleet is replaced. */
export async function addOsContext(
  flags: GlobalFlags,
  { path, cluster }: { readonly path: string | undefined; readonly cluster: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const { name, url, identity, ca } = (await loadConfig(flags, terminal)).context(flags.context);
  const written = await editOsconfig({ flag: path, env: terminal.env }, ({ osconfig, location }) => {
    if (osconfig.names.includes(name)) requireFleets(osconfig.context(name), location.path);
    osconfig.set(name, {
      endpoints: [url],
      identity,
      ...(ca !== undefined && { ca }),
      ...(cluster !== undefined && { cluster }),
    });
    if (osconfig.current === undefined) osconfig.use(name);
    return location.path;
  });
  await print(terminal.error, `context ${name}: ${written}\n`);
}

/** One that goes to nodes may have the only key of an administrator. */
function requireFleets({ name, identity, key }: OsContext, path: string): void {
  key?.[Symbol.dispose]();
  if (identity !== undefined) return;
  throw new UsageError(
    `context "${name}" exists in ${path} and goes to no fleet: rename it with osctl config rename, or name another file`,
  );
}

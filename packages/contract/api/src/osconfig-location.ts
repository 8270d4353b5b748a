import { access } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

import { OsconfigError } from './osconfig-errors.ts';

/** Where a pod of the cluster finds its client config; nobody else writes there. */
const serviceAccountPath = '/var/run/secrets/nodecore/config';

export type LocationOptions = {
  /** Value of `--osconfig`. */
  readonly flag?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Replaced by tests. */
  readonly serviceAccount?: string;
};

export type Location = {
  readonly path: string;
  /** Named by the user, so its absence is worth an error. */
  readonly named: boolean;
  readonly readOnly: boolean;
};

/**
 * The client config file: `--osconfig`, else `OSCONFIG`, else the user's own (`$OS_HOME/config` or `$HOME/.os/config`),
 * else the service account's if the user has none. What the user names wins even when it does not exist: silently using
 * another cluster's credentials would be worse.
 */
export async function locate(options: LocationOptions = {}): Promise<Location> {
  const { flag, env = process.env, serviceAccount = serviceAccountPath } = options;
  const named = flag ?? env['OSCONFIG'];
  if (named !== undefined && named !== '') {
    return { path: named, named: true, readOnly: named === serviceAccount };
  }
  const path = join(osHome(env), 'config');
  if (!(await exists(path)) && (await exists(serviceAccount))) {
    return { path: serviceAccount, named: false, readOnly: true };
  }
  return { path, named: false, readOnly: false };
}

/** The user's directory for client configs and keys. */
export function osHome(env: Readonly<Record<string, string | undefined>>): string {
  const moved = env['OS_HOME'];
  if (moved !== undefined && moved !== '') {
    if (isAbsolute(moved)) return moved;
    throw new OsconfigError('ERR_OSCONFIG_HOME', '', `OS_HOME is "${moved}"; set it to an absolute path`);
  }
  const home = env['HOME'];
  if (home !== undefined && isAbsolute(home)) return join(home, '.os');
  throw new OsconfigError('ERR_OSCONFIG_HOME', '', 'HOME is not set; set it, or give --osconfig');
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

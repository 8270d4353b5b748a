import { editOsconfig, loadOsconfig, type LoadedOsconfig } from '@nodecore/api';
import type { Terminal } from '@nodecore/cli';

/** Which client config a subcommand works on. */
export type ConfigOptions = {
  /** Value of `--osconfig`. */
  readonly flag: string | undefined;
  /** Value of `--context`. */
  readonly context: string | undefined;
  readonly terminal: Terminal;
};

/**
 * Reads the client config; it is empty while the default file does not exist.
 *
 * @throws {OsconfigError} `ERR_OSCONFIG_NOT_FOUND` for a file of `--osconfig` or $OSCONFIG that does not exist,
 *   `ERR_OSCONFIG_INVALID` for one that is no client config.
 */
export async function load({ flag, terminal }: ConfigOptions): Promise<LoadedOsconfig> {
  return await loadOsconfig({ flag, env: terminal.env });
}

/** Changes the client config, which need not exist before. `change` may be called again, when another program writes it meanwhile. */
export async function edit<T>(
  { flag, terminal }: ConfigOptions,
  change: (loaded: LoadedOsconfig) => T | Promise<T>,
): Promise<T> {
  return await editOsconfig({ flag, env: terminal.env }, change);
}

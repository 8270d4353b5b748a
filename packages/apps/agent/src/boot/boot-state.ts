import { ConfigError, formatProblem, rootAlone } from '@nodecore/config';

import type { Address } from '../address.ts';
import type { Configurator } from '../configuration/configurator.ts';
import type { Maintenance } from '../maintenance/maintenance.ts';
import type { StateDirectory } from '../persistence/state-directory.ts';

export type BootStateParts = {
  readonly configurator: Pick<Configurator, 'boot'>;
  readonly maintenance: Pick<Maintenance, 'beginClosed'>;
  readonly address: () => Address;
  /** Told what is wrong with what is persisted. */
  readonly loadFailed?: (reason: string) => void;
};

/** As many findings as a status says; the first ones say the most. */
const shownFindings = 5;

/**
 * Begins with what is persisted. A configuration that this version can't use brings maintenance with what is wrong with it, for those
 * whom it lets in: to open the node to anybody would hand it, with its data, to the first caller.
 *
 * @returns whether anything is persisted.
 */
export async function bootState(
  { configurator, maintenance, address, loadFailed }: BootStateParts,
  directory: StateDirectory,
): Promise<boolean> {
  try {
    return await configurator.boot(directory);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const findings = error.problems.slice(0, shownFindings).map((problem) => formatProblem(problem));
    const more = error.problems.length - findings.length;
    const rest = more > 0 ? ` and ${more} more` : '';
    const reason = `the persisted configuration can not be used: ${findings.join('; ')}${rest}`;
    loadFailed?.(reason);
    const text = await directory.readConfiguration().catch(() => undefined); // it may be no text at all
    using root = text === undefined ? undefined : rootAlone(text);
    await maintenance.beginClosed(reason, root?.machine, address());
    return true;
  }
}

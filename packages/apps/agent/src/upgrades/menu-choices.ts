import { readVariable, removeVariable } from '@nodecore/efi';
import { codeOf } from '@nodecore/sys';

import type { Log } from '../log.ts';
import { UpgradeError } from './errors.ts';

/** systemd's boot loader interface. */
const loader = '4a67b082-0a4c-41cf-b6c7-440b29bb8c4f';

/**
 * By which somebody has the boot loader start another entry than the first of its menu, at the next start or at each: from the menu, or
 * on the system that the machine had before. They would have a say over starts that are left, too.
 */
const choices = ['LoaderEntryOneShot', 'LoaderEntryDefault', 'LoaderEntryPreferred'] as const;

/**
 * Has the boot loader go by its menu: who upgrades, rolls back or installs has chosen later. Where no firmware keeps variables there is
 * nothing to do.
 *
 * @param root of efivarfs; another one in tests.
 * @throws {UpgradeError} `ERR_UPGRADE_FIRMWARE` when the firmware keeps one.
 */
export async function takeBackChoices(log: Log, root?: string): Promise<void> {
  for (const name of choices) {
    const variable = { name, vendor: loader, ...(root !== undefined && { root }) };
    const value = (await readVariable(variable))?.value;
    if (value === undefined) continue;
    const entry = value.toString('utf16le').replace(/\0.*$/su, '');
    try {
      await removeVariable(variable);
    } catch (error) {
      throw new UpgradeError(
        'ERR_UPGRADE_FIRMWARE',
        `the firmware keeps ${name} (${codeOf(error)}), which has the boot loader start ${entry}`,
        { cause: error },
      );
    }
    log.warn(
      { variable: name, entry },
      'what was chosen for the boot loader is taken back: it goes by its menu',
    );
  }
}

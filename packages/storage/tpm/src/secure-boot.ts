import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf } from '@nodecore/sys';

/** What the firmware says about Secure Boot. */
export type SecureBoot = {
  /**
   * - `enabled`: only signed images were started
   * - `disabled`: keys are enrolled, but the firmware does not enforce them
   * - `setup`: no platform key is enrolled: anybody may enrol keys
   * - `unsupported`: no UEFI, or one without Secure Boot
   */
  readonly state: 'enabled' | 'disabled' | 'setup' | 'unsupported';
  readonly setupMode: boolean;
};

const efivars = '/sys/firmware/efi/efivars';

/** EFI_GLOBAL_VARIABLE */
const global = '8be4df61-93ca-11d2-aa0d-00e098032b8c';

/**
 * Reads the variables of the firmware. Anybody may; efivarfs must be mounted.
 *
 * @param root where efivarfs is mounted.
 * @throws the system's error when UEFI is there and its variables can't be read: unknown is not disabled.
 */
export async function secureBoot(root: string = efivars): Promise<SecureBoot> {
  const [enforced, setup] = await Promise.all([flag(root, 'SecureBoot'), flag(root, 'SetupMode')]);
  if (enforced === undefined) {
    await mounted(root);
    return { state: 'unsupported', setupMode: false };
  }
  const setupMode = setup === true;
  if (setupMode) return { state: 'setup', setupMode };
  return { state: enforced ? 'enabled' : 'disabled', setupMode };
}

/** Four bytes of attributes, then the value. Undefined when there is no such variable. */
async function flag(root: string, name: string): Promise<boolean | undefined> {
  try {
    return (await readFile(join(root, `${name}-${global}`)))[4] === 1;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A machine with UEFI always has this variable; without efivarfs nothing is known about it. */
async function mounted(root: string): Promise<void> {
  if (root !== efivars) return;
  if (!(await exists('/sys/firmware/efi'))) return;
  if (
    !(await exists(join(root, `BootCurrent-${global}`))) &&
    !(await exists(join(root, `BootOrder-${global}`)))
  ) {
    throw Object.assign(new Error(`${root}: efivarfs is not mounted there`), { code: 'ENODEV' });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}

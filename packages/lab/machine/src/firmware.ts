import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { writeFileAtomic } from '@nodecore/sys';

import { type FirmwareFiles, hasSecureBoot } from './boot-files.ts';
import { requireFile } from './required-file.ts';
import type { MachineSpec } from './spec.ts';
import { switchSecureBootOff } from './uefi-variables.ts';

const ovmf = '/usr/share/OVMF';

/**
 * UEFI for one boot: the shared code and a variable store. The store is a fresh copy, so that measured boots repeat exactly,
 * unless the machine keeps its own. OVMF's store for Secure Boot has keys enrolled; the other one has none.
 */
export async function firmware(
  spec: Pick<MachineSpec, 'name' | 'firmware' | 'variableStore' | 'firmwarePaths'>,
  directory: string,
): Promise<FirmwareFiles | undefined> {
  if (spec.firmware === 'bios') return undefined;
  const secure = hasSecureBoot(spec.firmware);
  const { firmwarePaths = [] } = spec;
  const find = (name: string): string =>
    requireFile(spec.name, join(ovmf, name), ...firmwarePaths.map((each) => join(each, name)));
  const code = find(secure ? 'OVMF_CODE_4M.secboot.fd' : 'OVMF_CODE_4M.fd');
  const variables = join(directory, 'uefi-variables.fd');
  if (spec.variableStore !== undefined && existsSync(variables)) return { code, variables };
  const from = spec.variableStore?.from;
  const own = secure ? 'OVMF_VARS_4M.snakeoil.fd' : 'OVMF_VARS_4M.fd';
  const store = await readFile(from === undefined ? find(own) : requireFile(spec.name, from));
  if (spec.firmware === 'uefi-secure-boot-off') switchSecureBootOff(spec.name, store);
  await writeFileAtomic(variables, store);
  return { code, variables };
}

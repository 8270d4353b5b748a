import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { findProgram } from '@nodecore/testkit';

/** What ipmitool says, to one answer or the other. */
export async function ipmitool(
  words: readonly string[],
): Promise<{ readonly code: number; readonly said: string }> {
  const program = findProgram('ipmitool') ?? '';
  const env = { ...process.env, LD_LIBRARY_PATH: join(program, '../lib') };
  try {
    const { stdout, stderr } = await promisify(execFile)(program, ['-I', 'lanplus', ...words], { env });
    return { code: 0, said: `${stdout}${withoutRegistry(stderr)}`.trim() };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string };
    return { code: code ?? -1, said: `${stdout}${stderr}`.trim() };
  }
}

/** Names of makers, which it says that it misses. */
function withoutRegistry(text: string): string {
  return text.replace(/^IANA PEN registry open failed.*\n/m, '');
}

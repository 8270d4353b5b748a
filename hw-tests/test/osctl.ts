import { execFile } from 'node:child_process';

import { osctl } from '../src/node/credentials.ts';

export type OsctlResult = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** osctl with a client config, and nothing of this user's. */
export function osctlWith(osconfig: string): (...argv: readonly string[]) => Promise<OsctlResult> {
  return (...argv) =>
    new Promise((resolve) => {
      const env = { ...process.env, OSCONFIG: osconfig };
      const args = ['--conditions=source', osctl, ...argv];
      execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1;
        resolve({ code, stdout, stderr });
      });
    });
}

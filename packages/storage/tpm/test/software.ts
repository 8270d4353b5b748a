import { createHash } from 'node:crypto';

import { output, softwareTpm, type SoftwareTpm } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { open, type OpenOptions, type Tpm } from '../src/index.ts';

/** A connection that ends with the test. */
export async function opened(t: ExecutionContext, options: OpenOptions): Promise<Tpm> {
  const tpm = await open(options);
  t.teardown(() => tpm.close());
  return tpm;
}

/** A software TPM, and a connection to it; PCR 7 is in use. */
export async function started(
  t: ExecutionContext,
  options: OpenOptions = {},
): Promise<{ readonly software: SoftwareTpm; readonly tpm: Tpm }> {
  const software = await softwareTpm(t);
  const tpm = await opened(t, { tcti: software.tcti, ...options });
  await tpm.extendPcr(7, digest('secure boot'));
  return { software, tpm };
}

export function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

export function hex(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('hex');
}

/** Runs a program of tpm2-tools. The TPM serves one at a time: no connection of ours may be open. */
export async function tool(
  tcti: string,
  argv: readonly [string, ...string[]],
  options: { readonly input?: Uint8Array; readonly cwd?: string } = {},
): Promise<string> {
  const { input, cwd = '/' } = options;
  return await output(['env', '--chdir', cwd, ...argv], {
    // What a sanitized addon needs preloaded in Node is not for programs.
    env: { TPM2TOOLS_TCTI: tcti, LD_PRELOAD: '' },
    ...(input === undefined ? {} : { input }),
  });
}

import { spawn } from 'node:child_process';

import { codeOf } from '@nodecore/sys';

import { BlockError } from './errors.ts';

export type Tool = {
  readonly name: string;
  /** Which package brings it, for the message when it is missing. */
  readonly debian: string;
};

/** The e2fsprogs begin with their version; a usage text follows what is wrong. */
const banner = /^(mke2fs|resize2fs) \d/;

/**
 * Runs a program on a device to its end and returns what it printed. There is no shell. After an abort the program is
 * told to end, and is waited for: nobody writes to the device any more once this rejects.
 *
 * @throws {BlockError} `ERR_BLOCK_FAILED` with the first line of its error output that says something.
 */
export async function runTool(
  tool: Tool,
  args: readonly string[],
  device: string,
  signal?: AbortSignal,
): Promise<string> {
  signal?.throwIfAborted();
  const { code, stdout, stderr } = await run(tool, args, device, signal);
  signal?.throwIfAborted();
  if (code === 0) return stdout;
  const said = stderr.split('\n').find((line) => line.trim() !== '' && !banner.test(line)) ?? '';
  throw new BlockError('ERR_BLOCK_FAILED', device, `${tool.name} on ${device}: exit ${code}: ${said}`);
}

/** Whether a program that changes nothing agrees with its arguments. */
export async function succeeds(tool: Tool, args: readonly string[]): Promise<boolean> {
  return (await run(tool, args, args.at(-1) ?? '', undefined)).code === 0;
}

function run(
  tool: Tool,
  args: readonly string[],
  device: string,
  signal: AbortSignal | undefined,
): Promise<{ code: number | string; stdout: string; stderr: string }> {
  const env = { ...process.env, LC_ALL: 'C', PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` };
  return new Promise((resolve, reject) => {
    const child = spawn(tool.name, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const end = (): void => void child.kill();
    signal?.addEventListener('abort', end, { once: true });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', (error) => {
      signal?.removeEventListener('abort', end);
      const missing = codeOf(error) === 'ENOENT';
      const why = missing ? `the program is missing; install ${tool.debian}` : error.message;
      reject(new BlockError('ERR_BLOCK_FAILED', device, `${tool.name}: ${why}`, { cause: error }));
    });
    child.on('close', (code, killedBy) => {
      signal?.removeEventListener('abort', end);
      resolve({ code: code ?? killedBy ?? 'unknown', stdout, stderr });
    });
  });
}

import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';

import { codeOf } from '@nodecore/sys';
import { onAbort } from '@nodecore/waiting';

import { BlockError } from '../errors.ts';

export type Tool = {
  readonly name: string;
  /** Which package brings it, for the message when it is missing. */
  readonly debian: string;
};

/** How a program ended, and all it said. */
export type Outcome = {
  /** The name of a signal when one ended it. */
  readonly code: number | string;
  /** Of each the end, when there was very much. */
  readonly stdout: string;
  readonly stderr: string;
};

export type ToolOptions = {
  readonly signal?: AbortSignal;
  /** Called with what the program writes, piece by piece: to its standard outputs, and to its descriptor 3. */
  readonly onText?: (text: string) => void;
};

/** A repair of a large filesystem may print more than there is memory for. */
const maxText = 1 << 20;

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
  const options = signal === undefined ? {} : { signal };
  const { code, stdout, stderr } = await outcomeOf(tool, args, device, options);
  signal?.throwIfAborted();
  if (code === 0) return stdout;
  const said = stderr.split('\n').find((line) => line.trim() !== '' && !banner.test(line)) ?? '';
  throw new BlockError('ERR_BLOCK_FAILED', device, `${tool.name} on ${device}: exit ${code}: ${said}`);
}

/** Whether a program that changes nothing agrees with its arguments. */
export async function succeeds(tool: Tool, args: readonly string[]): Promise<boolean> {
  return (await outcomeOf(tool, args, args.at(-1) ?? '')).code === 0;
}

/**
 * The same for a program whose exit codes say more than yes and no: only one that can not be started is an error. Look at
 * the signal after it.
 */
export function outcomeOf(
  tool: Tool,
  args: readonly string[],
  device: string,
  { signal, onText }: ToolOptions = {},
): Promise<Outcome> {
  // Extensions of an image have their programs below /usr/local.
  const more = '/usr/sbin:/sbin:/usr/local/sbin:/usr/local/bin';
  const env = { ...process.env, LC_ALL: 'C', PATH: `${process.env['PATH'] ?? ''}:${more}` };
  return new Promise((resolve, reject) => {
    const child = spawn(tool.name, args, { env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
    const listener = onAbort(signal, () => void child.kill());
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(-maxText);
      onText?.(text);
    });
    const extra = child.stdio[3];
    if (extra instanceof Readable) extra.setEncoding('utf8').on('data', (text: string) => onText?.(text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-maxText);
      onText?.(text);
    });
    child.on('error', (error) => {
      listener[Symbol.dispose]();
      const missing = codeOf(error) === 'ENOENT';
      const why = missing ? `the program is missing; install ${tool.debian}` : error.message;
      reject(new BlockError('ERR_BLOCK_FAILED', device, `${tool.name}: ${why}`, { cause: error }));
    });
    child.on('close', (code, killedBy) => {
      listener[Symbol.dispose]();
      resolve({ code: code ?? killedBy ?? 'unknown', stdout, stderr });
    });
  });
}

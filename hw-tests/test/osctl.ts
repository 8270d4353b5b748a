import { type ChildProcess, execFile } from 'node:child_process';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { run as main } from '@nodecore/osctl';

import { osctl } from '../src/node/credentials.ts';

export type OsctlResult = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** osctl with a client config, and nothing of this user's. */
export function osctlWith(osconfig: string): (...argv: readonly string[]) => Promise<OsctlResult> {
  return (...argv) => run(osconfig, argv, () => {});
}

/** The same in this process: a start of Node.js costs more than most questions, and takes that from an emulated processor. */
export function osctlHere(osconfig: string): (...argv: readonly string[]) => Promise<OsctlResult> {
  return async (...argv) => {
    const [out, error] = [new PassThrough(), new PassThrough()];
    const texts = Promise.all([text(out), text(error)]);
    const { signal } = new AbortController();
    const env = { OSCONFIG: osconfig };
    const code = await main(argv, { out, error, input: Readable.from([]), env, signal });
    out.end();
    error.end();
    const [stdout, stderr] = await texts;
    return { code, stdout, stderr };
  };
}

/** Does something as soon as osctl has told of it on standard error. */
export async function osctlMeanwhile(
  osconfig: string,
  argv: readonly string[],
  told: RegExp,
  work: () => Promise<void>,
): Promise<OsctlResult> {
  let working: Promise<unknown> | undefined;
  let said = '';
  const result = await run(osconfig, argv, (child) => {
    child.stderr?.on('data', (text: string) => {
      said += text;
      if (working === undefined && told.test(said))
        working = work().catch((error: unknown) => {
          child.kill(); // it may wait for what does not come
          return error;
        });
    });
  });
  const failure = await working;
  if (failure !== undefined) throw failure;
  return result;
}

function run(
  osconfig: string,
  argv: readonly string[],
  started: (child: ChildProcess) => void,
): Promise<OsctlResult> {
  return new Promise((resolve) => {
    const env = { ...process.env, OSCONFIG: osconfig };
    const args = ['--conditions=source', osctl, ...argv];
    const child = execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1;
      resolve({ code, stdout, stderr });
    });
    started(child);
  });
}

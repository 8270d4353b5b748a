import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { onAbort } from '@nodecore/waiting';

import type { Answer, Request } from './compiler.ts';
import { BpfError } from './errors.ts';

export type Reply = { readonly instructions: string } | { readonly error: string };

const script = fileURLToPath(import.meta.resolve('./compiler-main.ts').replace(/\.ts$/, ownExtension()));

/** Sources run as they are, and `dist` runs what was made of them. */
function ownExtension(): string {
  return import.meta.url.endsWith('.ts') ? '.ts' : '.js';
}

/**
 * libpcap's compiler in a process of its own. Its optimiser takes time that grows with the cube of a filter's length
 * and recurses as deep as the filter is long: what takes too long, or overflows the stack, ends this process and not
 * ours.
 */
export class CompilerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor() {
    this.#child = fork(script, {
      // Whatever else our own process was started with, a debugger's port say, is not for it.
      execArgv: process.execArgv.filter((argument) => argument.startsWith('--conditions')),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#ended = once(this.#child, 'exit').catch(() => {});
  }

  /** @param signal ends the process; the reason is thrown. */
  async compile(request: Request, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    using _listener = onAbort(signal, () => this.#child.kill('SIGKILL'));
    const reply = once(this.#child, 'message');
    reply.catch(() => {}); // an error before the process ran is seen by `ended` too
    this.#child.send(request, () => {}); // as is a process that has gone
    const [message] = (await Promise.race([reply, this.#ended])) as [Reply | number | null];
    signal.throwIfAborted();
    if (typeof message !== 'object' || message === null) throw tooComplex('libpcap ran out of stack');
    return 'error' in message ? message : { instructions: Buffer.from(message.instructions, 'base64') };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

/** The error of a filter that is too long for libpcap's compiler; `why` says what gave up. */
export function tooComplex(why: string): BpfError {
  return new BpfError('ERR_BPF_COMPLEX', `the filter is too long for libpcap's compiler: ${why}`);
}

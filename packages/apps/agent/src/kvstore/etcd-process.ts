import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import { codeOf, tetheredCommand } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import { endProgram } from '../supervisor/program.ts';
import type { EtcdVersion } from './arguments.ts';
import { MemberError } from './errors.ts';
import { passOn } from './etcd-log.ts';

/** A member that ends in order hands its leadership over first. */
const stopTimeoutMs = 10_000;

export type EtcdEnd = {
  /** Undefined when a signal ended it. */
  readonly code: number | undefined;
  /** The last thing it had to say. */
  readonly message: string;
};

/** etcd in a process of its own, which ends with this one, whatever happens to it. */
export class EtcdProcess {
  readonly #child: ChildProcess;
  readonly ended: Promise<EtcdEnd>;

  private constructor(child: ChildProcess, ended: Promise<EtcdEnd>) {
    this.#child = child;
    this.ended = ended;
  }

  /** Starts it as root without a single capability: it owns its files and needs nothing else. */
  static async start(program: string, argv: readonly string[], log: Log): Promise<EtcdProcess> {
    const confined = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all'];
    const [setpriv, ...words] = tetheredCommand([program, ...argv], confined);
    // Its flags are all on the command line, so it gets nothing of our environment but the path.
    const env = { PATH: process.env['PATH'] };
    const child = spawn(setpriv, words, { stdio: ['ignore', 'ignore', 'pipe'], env });
    const ended = endOf(child, log);
    try {
      await once(child, 'spawn');
    } catch (cause) {
      throw new MemberError('ERR_MEMBER_PROGRAM', 'setpriv can not be started: install util-linux', {
        cause,
      });
    }
    await protect(child.pid ?? 0, log);
    return new EtcdProcess(child, ended);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Ends it: asks first, and kills it when it takes longer than 10 s. Twice is fine. */
  async stop(): Promise<void> {
    await endProgram(this.#child, { clock: systemClock, graceMs: stopTimeoutMs });
    await this.ended;
  }
}

function endOf(child: ChildProcess, log: Log): Promise<EtcdEnd> {
  let message = '';
  if (child.stderr !== null) passOn(child.stderr, log, (text) => (message = text));
  const { promise, resolve } = Promise.withResolvers<EtcdEnd>();
  child.once('close', (code) => resolve({ code: code ?? undefined, message }));
  return promise;
}

/** When memory runs out the store is the last to go. A kernel that refuses leaves it like any other process. */
async function protect(pid: number, log: Log): Promise<void> {
  try {
    await writeFile(`/proc/${pid}/oom_score_adj`, '-998');
  } catch (error) {
    log.debug({ code: codeOf(error) }, 'etcd is not protected from the out-of-memory killer');
  }
}

/**
 * What a program says it is.
 *
 * @throws {MemberError} `ERR_MEMBER_PROGRAM` when it is missing or older than 3.5.
 */
export async function etcdVersion(program: string): Promise<EtcdVersion> {
  let text: string;
  try {
    ({ stdout: text } = await promisify(execFile)(program, ['--version'], { timeout: 30_000 }));
  } catch (cause) {
    const why = codeOf(cause) === 'ENOENT' ? 'is not there' : 'does not run';
    const next = 'install etcd 3.5 or newer, or name it in cluster.kvstore.program';
    throw new MemberError('ERR_MEMBER_PROGRAM', `${program} ${why}: ${next}`, { cause });
  }
  const [, version = '', major, minor] = /^etcd Version: ((\d+)\.(\d+)\.\S+)/mu.exec(text) ?? [];
  const found = { major: Number(major), minor: Number(minor), text: version };
  if (found.major > 3 || (found.major === 3 && found.minor >= 5)) return found;
  const shown = version === '' ? 'is no etcd' : `is ${version}`;
  throw new MemberError(
    'ERR_MEMBER_PROGRAM',
    `${program} ${shown}, and 3.5 or newer is needed: name another in cluster.kvstore.program`,
  );
}

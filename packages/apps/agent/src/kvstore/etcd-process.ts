import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { Program, Service } from '@nodecore/supervisor';
import { codeOf } from '@nodecore/sys';

import type { Log } from '../log.ts';
import { followLines } from '../services/follow-lines.ts';
import type { EtcdVersion } from './arguments.ts';
import { MemberError } from './errors.ts';
import { parseLine, passOn } from './etcd-log.ts';

/**
 * A member that ends in order hands its leadership over first, which takes a heartbeat, and an election's second when who gets it has
 * just gone. One whose peers are all ending would wait 7 s for nothing. What it has confirmed is on the disk: a kill loses none of it.
 */
const stopTimeoutMs = 3000;

export type EtcdEnd = {
  /** Undefined when a signal ended it. */
  readonly code: number | undefined;
  /** The last thing it had to say. */
  readonly message: string;
};

export type EtcdParts = {
  readonly service: Service;
  readonly program: string;
  readonly argv: readonly string[];
  /** What of it an etcd that runs already must have in common. */
  readonly identity: unknown;
  readonly log: Log;
};

/**
 * It has 30 MiB and 7 threads when idle, and what it stores in the page cache. Nothing bounds its memory: a store that is ended for
 * that takes the quorum along. What it works on is taken from it last, and its heartbeats, ten a second, come before what others run.
 */
const limits = { memoryLow: 256 << 20, processes: 1024, cpuWeight: 400 } as const;

/** etcd as a service: one that runs already and is the same goes on. */
export class EtcdProcess {
  readonly pid: number;
  readonly ended: Promise<EtcdEnd>;
  readonly #ending: AbortController;

  private constructor(pid: number, ended: Promise<EtcdEnd>, ending: AbortController) {
    this.pid = pid;
    this.ended = ended;
    this.#ending = ending;
  }

  /** Starts it as root without a single capability: it owns its files and needs nothing else. */
  static async start({ service, program, argv, identity, log }: EtcdParts): Promise<EtcdProcess> {
    const confined = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all'];
    const etcd: Program = {
      argv: ['setpriv', ...confined, '--', program, ...argv],
      identity,
      graceMs: stopTimeoutMs,
      seccomp: 'service',
      // When memory runs out the store is the last to go.
      oomScoreAdjust: -998,
      limits,
    };
    const from = await service.log.end();
    const ending = new AbortController();
    try {
      const kept = await service.begin(etcd);
      const ended = endOf({ service, from, log }, etcd, ending.signal);
      return new EtcdProcess(kept?.identity.pid ?? 0, ended, ending);
    } catch (cause) {
      if (codeOf(cause) !== 'ERR_SERVICE_PROGRAM') throw cause;
      const why = cause instanceof Error ? cause.message : '';
      throw new MemberError('ERR_MEMBER_PROGRAM', `etcd can not be started: ${why}`, { cause });
    }
  }

  /** Ends it: asks first, and kills it when it takes longer than 3 s. Twice is fine. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.ended;
  }
}

async function endOf(
  { service, from, log }: Pick<EtcdParts, 'service' | 'log'> & { readonly from: number },
  etcd: Program,
  signal: AbortSignal,
): Promise<EtcdEnd> {
  const over = new AbortController();
  const passing = followLines(service, from, (line) => passOn(line, log), over.signal);
  try {
    const { code } = await service.run(etcd, signal);
    return { code, message: parseLine(await service.log.lastLine()).message };
  } finally {
    over.abort();
    await passing;
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

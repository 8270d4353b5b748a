import { randomUUID } from 'node:crypto';

import type { CaptureRequest, CaptureResponseInit } from '@nodecore/api/capture';
import { print, program } from '@nodecore/bpf';
import type { CaptureInterface } from '@nodecore/capture';
import { codeOf } from '@nodecore/sys';
import { type Clock, systemClock } from '@nodecore/waiting';

import { localResolver } from '../cgroups/names.ts';
import { type Places, thisNode } from '../cgroups/places.ts';
import type { Log } from '../log.ts';
import { audited, type AuditedCapture } from '../server/audit.ts';
import type { CallContext } from '../server/handlers.ts';
import type { CaptureDirectory } from './capture-directory.ts';
import { type CaptureFileStatus, listFiles, readFile, removeFile } from './capture-files.ts';
import { Ending } from './stop-reason.ts';
import { type Engine, kernel } from './engine.ts';
import { CapturesError } from './errors.ts';
import { Owners } from './owners/owners.ts';
import { type Plan, planOf } from './plan.ts';
import type { Run } from './run.ts';
import { streamPackets } from './stream-packets.ts';
import { CaptureCounters, type Counts, sumOf } from './capture-counters.ts';
import { writePackets } from './write-packets.ts';

/** Each takes 64 MiB of locked memory for its rings. */
const maxCaptures = 4;

export type CapturesParts = {
  readonly log: Log;
  readonly directory: CaptureDirectory;
  /** Where the node's API listens. */
  readonly apiPort: () => number;
  readonly engine?: Engine;
  readonly clock?: Clock;
  /** Where processes are, and what containers run. */
  readonly places?: Pick<Places, 'processes' | 'podLogs' | 'containerLogs'>;
};

/** The captures that run on this node. */
export class Captures {
  readonly #parts: CapturesParts;
  readonly #running = new Map<string, { readonly ending: Ending; readonly counters: CaptureCounters }>();
  /** Of those that have ended. */
  #ended = sumOf([]);
  readonly #open = new Set<Promise<void>>();

  constructor(parts: CapturesParts) {
    this.#parts = parts;
  }

  /** How many run. */
  get count(): number {
    return this.#running.size;
  }

  /** What became of the packets of all captures since the agent began. */
  get totals(): Counts {
    return sumOf([this.#ended, ...[...this.#running.values()].map(({ counters }) => counters.counts)]);
  }

  /** What can be captured on. */
  interfaces(): readonly CaptureInterface[] {
    return this.#engine.interfaces();
  }

  /**
   * One capture, as the messages of its call. It ends with the iteration, on the kernel's side at once when the caller's
   * signal fires. Leaves a line in the log of who asked for what, and one with how it ended.
   *
   * @throws {CapturesError} `ERR_CAPTURES_BUSY`, `ERR_CAPTURES_REQUEST`, `ERR_CAPTURES_SPACE`
   * @throws {CaptureError}
   * @throws {BpfError}
   */
  async *run(
    request: CaptureRequest,
    context: CallContext,
  ): AsyncGenerator<CaptureResponseInit, void, undefined> {
    const { log, clock = systemClock, apiPort } = this.#parts;
    const plan = planOf(request, apiPort(), this.interfaces());
    if (this.#running.size >= maxCaptures)
      throw new CapturesError('ERR_CAPTURES_BUSY', `${maxCaptures} captures are running`);
    const id = randomUUID();
    using ending = new Ending(clock);
    const { promise: open, resolve: closed } = Promise.withResolvers<void>();
    this.#open.add(open);
    const counters = new CaptureCounters();
    this.#running.set(id, { ending, counters });
    const note = audited(log, context, auditedCapture(plan, request.includeApiTraffic));
    let code: string | undefined;
    try {
      const owners = plan.owners ? this.#owners(clock) : undefined;
      const run = { id, plan, ending, counters, engine: this.#engine, clock, owners, signal: context.signal };
      yield* this.#messages(run);
    } catch (error) {
      ending.begin('failed');
      code = codeOf(error) ?? 'none';
      throw error;
    } finally {
      this.#running.delete(id);
      this.#ended = sumOf([this.#ended, counters.counts]);
      this.#open.delete(open);
      closed();
      const { counts } = counters;
      note.end(code === undefined ? 'done' : 'failed', code, {
        end: ending.reason ?? 'gone',
        ...texts(counts),
      });
    }
  }

  /** @throws {CapturesError} `ERR_CAPTURES_UNKNOWN` */
  async stop(id: string, context: CallContext): Promise<void> {
    const run = this.#running.get(id);
    if (run === undefined) throw new CapturesError('ERR_CAPTURES_UNKNOWN', `no capture ${id} is running`);
    const note = audited(this.#parts.log, context, { action: 'stop-capture', id });
    await note.of(Promise.resolve(run.ending.begin('stopped')));
  }

  /** Ends all that run. Resolves when nothing of them is open any more: a caller that reads slowly has to be ended as well. */
  async end(): Promise<void> {
    for (const { ending } of this.#running.values()) ending.begin('stopped');
    await Promise.all(this.#open);
  }

  /** Files that captures have left on this node. */
  async files(): Promise<readonly CaptureFileStatus[]> {
    return await listFiles(await this.#parts.directory.path());
  }

  /**
   * One of them; the packets in it are looked at, which is logged.
   *
   * @throws {CapturesError} `ERR_CAPTURES_REQUEST`, `ERR_CAPTURES_FILE`
   */
  readFile(file: string, context: CallContext): AsyncGenerator<Uint8Array, void, undefined> {
    const { directory, log } = this.#parts;
    const pieces = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      yield* readFile(await directory.path(), file, context.signal);
    };
    return audited(log, context, { action: 'read-capture', file }).over(pieces());
  }

  /** @throws {CapturesError} `ERR_CAPTURES_REQUEST`, `ERR_CAPTURES_FILE` */
  async removeFile(file: string, context: CallContext): Promise<void> {
    const { directory, log } = this.#parts;
    const note = audited(log, context, { action: 'remove-capture', file });
    await note.of(directory.path().then((path) => removeFile(path, file)));
  }

  get #engine(): Engine {
    return this.#parts.engine ?? kernel;
  }

  #owners(clock: Clock): Owners {
    const { places = thisNode } = this.#parts;
    return new Owners({ directory: places.processes, resolver: localResolver(places), clock });
  }

  #messages(run: Run): AsyncGenerator<CaptureResponseInit, void, undefined> {
    const { file } = run.plan;
    return file === undefined ? streamPackets(run) : writePackets(run, file, this.#parts.directory);
  }
}

function auditedCapture({ options, file }: Plan, includeApiTraffic: boolean): AuditedCapture {
  const { interfaces, filter = '', direction = 'both', promiscuous = false } = options;
  return {
    action: 'capture',
    interfaces,
    filter: typeof filter === 'string' ? filter : print(program(filter), 'numbers').trim(),
    direction,
    promiscuous,
    includeApiTraffic,
    ...(file !== undefined && { file: file.name }),
  };
}

/** JSON has no numbers of 64 bits. */
function texts(counts: Readonly<Record<string, bigint | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)]));
}

import { connect, get, type Kvstore, type MemberStatus, status } from '@nodecore/kvstore';
import { codeOf } from '@nodecore/sys';
import { type Clock, onAbort } from '@nodecore/waiting';
import type { Kvstore as KvstoreSettings } from '@nodecore/config';
import type { Service } from '@nodecore/supervisor';

import type { Log } from '../log.ts';
import { clientPort, urlOf } from './addresses.ts';
import { etcdArguments, type EtcdOptions } from './arguments.ts';
import { memberSocket } from './member-socket.ts';
import { memberRenewalMs, nodeClient, writeCertificates } from './certificate-files.ts';
import { type EtcdEnd, EtcdProcess } from './etcd-process.ts';
import type { MemberState } from './member-state.ts';

export type LifeParts = Omit<EtcdOptions, 'files' | 'socket'> & {
  readonly program: string;
  /** Those in force; a later configuration may hold the same in a key of its own. */
  readonly settings: () => KvstoreSettings;
  /** What etcd is run as. */
  readonly service: Service;
  /** For certificates. */
  readonly runDirectory: string;
  readonly log: Log;
  readonly clock: Clock;
  /** Called with every change of what is known. */
  readonly tell: (
    known: Pick<MemberState, 'phase' | 'pid' | 'healthy' | 'status' | 'reason' | 'code'>,
  ) => void;
  /** Called with the connection to the member, and with undefined when it ends. One that is replaced still ends its calls. */
  readonly use: (kvstore: Kvstore | undefined) => void;
  /** Called once, when it was healthy for the first time in this life. */
  readonly healthy: () => Promise<void>;
  /** Called after each look at which it was healthy. */
  readonly looked: (kvstore: Kvstore, status: MemberStatus | undefined, signal: AbortSignal) => Promise<void>;
  /** Says that there is work on it: that it does not answer is no failure, and its connection stays. */
  readonly isBusy: () => boolean;
};

const firstLookMs = 200;
const lookMs = 20_000;
/** It gets its vote as soon as it is in step. */
const learnerLookMs = 2_000;
/** A quorum read of a loaded cluster takes its time; one of a cluster without a leader takes all of it. */
const healthTimeoutMs = 15_000;
const startTimeoutMs = 5_000;

/** Runs etcd until it ends or the signal fires, and watches over it. Nothing of it is left when this resolves. */
export async function runMember(parts: LifeParts, signal: AbortSignal): Promise<EtcdEnd> {
  const { program, settings, runDirectory, log, addresses, clock } = parts;
  const names = [addresses.advertised, addresses.local];
  const files = await writeCertificates(runDirectory, settings(), names);
  const issuedMs = clock.now();
  signal.throwIfAborted();
  const socket = memberSocket(runDirectory);
  const options = { ...parts, files, socket };
  const { beginning: _, ...always } = options;
  const former = parts.service.status.pid;
  const etcd = await EtcdProcess.start({
    service: parts.service,
    program,
    argv: etcdArguments(options),
    // How it begins is of no consequence to one that has begun.
    identity: { program, argv: etcdArguments(always), ca: settings().ca.crt },
    log,
  });
  parts.tell({ phase: 'starting', pid: etcd.pid });
  const how = etcd.pid === former ? 'etcd goes on' : 'etcd starts';
  log.info({ pid: etcd.pid, version: parts.version.text, name: parts.name }, how);
  const over = new AbortController();
  const ending = AbortSignal.any([signal, over.signal]);
  const watching = watch(parts, etcd.pid, issuedMs, ending);
  watching.catch(() => {}); // the first of the two ends the other
  using _listener = onAbort(signal, () => void etcd.stop());
  try {
    return await Promise.race([etcd.ended, watching]);
  } finally {
    over.abort();
    await etcd.stop();
    await watching.catch(() => {});
    parts.use(undefined);
  }
}

/** Looks whether the member answers, often until it does and now and then after that. Ends only by the signal. */
async function watch(
  parts: LifeParts,
  pid: number,
  firstIssuedMs: number,
  signal: AbortSignal,
): Promise<never> {
  const { settings, clock, addresses, runDirectory, log } = parts;
  let issuedMs = firstIssuedMs;
  let kvstore = await dialed(parts, signal);
  let former: Kvstore | undefined;
  let settled = false;
  let isOld = false;
  try {
    parts.use(kvstore);
    for (;;) {
      const known = await look(kvstore, parts, settled, signal);
      // First of all: once the member is reported healthy, nothing is left of how it began.
      if (known.healthy && !settled) {
        await parts.healthy();
        settled = true;
        log.info({ pid }, 'the member of the kvstore is healthy');
      }
      parts.tell({ pid, ...known });
      if (settled || known.phase !== 'starting') parts.service.setHealth(known.healthy, known.reason);
      if (known.healthy) await parts.looked(kvstore, known.status, signal);
      const isLearner = known.status?.isLearner === true;
      await clock.sleep(isLearner ? learnerLookMs : settled ? lookMs : firstLookMs, signal);
      const ageMs = clock.now() - issuedMs;
      if (ageMs < 0 || ageMs > memberRenewalMs) {
        await writeCertificates(runDirectory, settings(), [addresses.advertised, addresses.local]);
        issuedMs = clock.now();
        isOld = true;
      }
      // What it shows is good for as long again: work that stalls the member is waited for.
      if (isOld && !parts.isBusy()) {
        const next = await redialed(parts, signal);
        if (next === undefined) continue;
        parts.use(next);
        // A call may be between two of its questions: it has until the next renewal.
        former?.close();
        former = kvstore;
        kvstore = next;
        isOld = false;
      }
    }
  } finally {
    parts.use(undefined);
    former?.close();
    kvstore.close();
  }
}

/** The first connection to the member, which may take a while to answer. */
async function dialed(parts: LifeParts, signal: AbortSignal): Promise<Kvstore> {
  const { clock } = parts;
  for (;;) {
    try {
      return await dial(parts, signal);
    } catch (error) {
      signal.throwIfAborted();
      parts.tell({ phase: 'starting', reason: messageOf(error), code: codeOf(error) ?? 'none' });
      await clock.sleep(firstLookMs, signal);
    }
  }
}

/** A connection in place of an older one, with a new certificate; undefined while the member does not answer. */
async function redialed(parts: LifeParts, signal: AbortSignal): Promise<Kvstore | undefined> {
  try {
    return await dial(parts, signal);
  } catch (error) {
    signal.throwIfAborted();
    parts.log.debug({ code: codeOf(error) }, 'the connection to the member is not renewed yet');
    return undefined;
  }
}

async function dial({ settings, addresses }: LifeParts, signal: AbortSignal): Promise<Kvstore> {
  const { crt, key } = await nodeClient(settings());
  using _key = key;
  const tls = { ca: settings().ca.crt, certificate: crt, key };
  const endpoints = [urlOf(addresses.local, clientPort)];
  return await connect({ endpoints, tls, signal, timeoutMs: startTimeoutMs });
}

type Look = Pick<MemberState, 'phase' | 'status' | 'reason' | 'code'> & { readonly healthy: boolean };

async function look(
  kvstore: Kvstore,
  { isBusy }: LifeParts,
  settled: boolean,
  signal: AbortSignal,
): Promise<Look> {
  const [endpoint = ''] = kvstore.endpoints;
  try {
    const found = await status(kvstore, endpoint, { signal, timeoutMs: startTimeoutMs });
    // A learner serves no reads that a majority has to agree to; in step with its leader it is as healthy as it gets.
    if (found.isLearner) return { phase: 'running', status: found, healthy: found.leaderId !== 0n };
    await get(kvstore, 'health', { signal, timeoutMs: settled ? healthTimeoutMs : startTimeoutMs });
    return { phase: 'running', status: found, healthy: true };
  } catch (error) {
    signal.throwIfAborted();
    const answered = codeOf(error) === 'ERR_KVSTORE_DENIED'; // users are asked for, and a majority said so
    if (answered || isBusy()) return { phase: 'running', healthy: true };
    const phase = settled ? 'running' : 'starting';
    return { phase, healthy: false, reason: messageOf(error), code: codeOf(error) ?? 'none' };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

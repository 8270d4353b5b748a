import {
  CaptureEnd,
  CaptureFormat,
  type CaptureReportInit,
  type CaptureResponseInit,
  type CaptureSourceInit,
} from '@nodecore/api/capture';
import { print } from '@nodecore/bpf';
import type { CapturedInterface } from '@nodecore/capture';
import type { Clock } from '@nodecore/waiting';

import type { Ending, EndReason } from './stop-reason.ts';
import type { Engine } from './engine.ts';
import type { Plan } from './plan.ts';
import type { Owners } from './owners/owners.ts';
import type { Format } from './stream-format.ts';
import type { CaptureCounters } from './capture-counters.ts';

/** One capture that was asked for. */
export type Run = {
  readonly id: string;
  readonly plan: Plan;
  readonly ending: Ending;
  readonly counters: CaptureCounters;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly owners: Owners | undefined;
  /** Fires when the caller has gone. */
  readonly signal: AbortSignal;
};

/** How often a caller hears the counts. */
export const progressMs = 1_000;

/** The format in the first message of a capture, by the one in its plan. */
export const wireFormats: Readonly<Record<Format, CaptureFormat>> = {
  pcap: CaptureFormat.PCAP,
  pcapng: CaptureFormat.PCAPNG,
};

const wireEnds: Readonly<Record<EndReason, CaptureEnd>> = {
  stopped: CaptureEnd.STOPPED,
  duration: CaptureEnd.DURATION,
  packets: CaptureEnd.PACKETS,
  bytes: CaptureEnd.BYTES,
  space: CaptureEnd.SPACE,
  failed: CaptureEnd.FAILED,
};

/** The interfaces for the first message of a stream, each with its filter's BPF program in the form of `tcpdump -d`. */
export function wireSources(interfaces: readonly CapturedInterface[]): CaptureSourceInit[] {
  return interfaces.map(({ name, linkType, snapLength, program }) => ({
    name,
    linkType,
    snapLength,
    program: print(program, 'disassembly'),
  }));
}

/** The last message of a stream. */
export function report(
  { ending, counters }: Run,
  rest: Pick<CaptureReportInit, 'trailer' | 'path'>,
): CaptureResponseInit {
  return { report: { end: wireEnds[ending.reason ?? 'stopped'], counts: counters.counts, ...rest } };
}

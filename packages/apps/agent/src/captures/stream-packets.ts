import type { CaptureResponseInit } from '@nodecore/api/capture';

import { interfaceFailure } from './interface-failure.ts';
import { ownedRecords } from './owners/records.ts';
import { Portions } from './portions.ts';
import { progressMs, report, type Run, wireFormats, wireSources } from './run.ts';
import { streamFormat } from './stream-format.ts';
import { withTicks } from './ticks.ts';

/**
 * Packets to the caller. A message is a batch as the ring gives it, borrowed until the next one is asked for: nothing is read
 * from the ring while one waits to be sent, so a slow caller costs the ring's memory and no more; the kernel counts what finds
 * no room there.
 *
 * @throws {CaptureError} after the report, when it can't go on.
 */
export async function* streamPackets(run: Run): AsyncGenerator<CaptureResponseInit, void, undefined> {
  const { id, plan, ending, counters, engine, clock, owners, signal } = run;
  const stop = AbortSignal.any([signal, ending.signal]);
  // Comments go into blocks of our own, made of the shorter records.
  const taken = owners === undefined ? plan.format : 'pcap';
  await using capture = await engine.open({ ...plan.options, format: taken, signal: stop });
  const format = streamFormat(plan.format, capture.interfaces);
  const portions = new Portions(plan.limits);
  const started = nanoseconds(clock.now());
  counters.follow(() => {
    const { seen, dropped } = capture.statistics();
    const { packets: received, bytes, truncated } = portions;
    return { seen, received, dropped, bytes, truncated };
  });
  if (plan.durationMs !== undefined) ending.after(plan.durationMs);
  const sources = wireSources(capture.interfaces);
  yield { start: { id, format: wireFormats[plan.format], sources, header: format.header } };
  let failure: unknown;
  try {
    for await (const batch of withTicks(capture, progressMs, clock)) {
      if (batch === undefined) {
        const progress = counters.changes();
        if (progress !== undefined) yield { progress };
      } else {
        const data = portions.take(batch);
        const from = { index: batch.interface, linkType: capture.interfaces[batch.interface]?.linkType ?? 0 };
        if (data.length > 0)
          yield { data: owners === undefined ? data : await ownedRecords(data, from, owners) };
      }
      if (portions.reached !== undefined) {
        ending.begin(portions.reached);
        break;
      }
      if (ending.overdue) break;
    }
  } catch (error) {
    failure = error;
    ending.begin('failed');
  }
  const statistics = capture.statistics();
  const trailer = format.trailer(statistics, started, nanoseconds(clock.now()));
  yield report(run, { trailer });
  failure ??= interfaceFailure(statistics);
  if (failure !== undefined) throw failure;
}

function nanoseconds(ms: number): bigint {
  return BigInt(ms) * 1_000_000n;
}

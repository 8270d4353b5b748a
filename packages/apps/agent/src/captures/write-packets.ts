import type { CaptureResponseInit } from '@nodecore/api/capture';
import type { FileOptions } from '@nodecore/capture';

import type { CaptureDirectory, Place } from './capture-directory.ts';
import type { EndReason } from './stop-reason.ts';
import type { FilePlan, Plan } from './plan.ts';
import { interfaceFailure } from './interface-failure.ts';
import { progressMs, report, type Run, wireFormats, wireSources } from './run.ts';
import type { WritingCapture } from './engine.ts';
import { withTicks } from './ticks.ts';

/**
 * Packets into a file on the node, which the caller only hears of. It ends with the call: a caller that has gone leaves
 * the file as it is by then.
 *
 * @throws {CapturesError} `ERR_CAPTURES_SPACE`
 * @throws {CaptureError} after the report, when it can't go on.
 */
export async function* writePackets(
  run: Run,
  file: FilePlan,
  directory: CaptureDirectory,
): AsyncGenerator<CaptureResponseInit, void, undefined> {
  const { id, plan, ending, counters, engine, clock, signal } = run;
  using place = await directory.place(file, plan.limits.bytes);
  const stop = AbortSignal.any([signal, ending.signal]);
  const options = fileOptions(plan, file, place);
  await using capture = await engine.captureToFile(place.path, { ...options, signal: stop });
  let written = { packets: 0n, bytes: 0n };
  counters.follow(() => {
    const { seen, received, dropped } = capture.statistics();
    return { seen, received, dropped, bytes: written.bytes };
  });
  if (plan.durationMs !== undefined) ending.after(plan.durationMs);
  const sources = wireSources(capture.interfaces);
  yield { start: { id, format: wireFormats[plan.format], sources, path: place.path } };
  let failure: unknown;
  let { path } = place;
  try {
    for await (const summary of withTicks(ended(capture), progressMs, clock)) {
      if (summary === undefined) {
        const progress = counters.changes();
        if (progress !== undefined) yield { progress };
      } else {
        written = summary;
        path = summary.path;
        ending.begin(summary.end === 'stopped' ? 'stopped' : limitOf(summary.packets, plan));
      }
    }
  } catch (error) {
    failure = error;
    ending.begin('failed');
  }
  yield report(run, { path });
  failure ??= interfaceFailure(capture.statistics());
  if (failure !== undefined) throw failure;
}

async function* ended(capture: WritingCapture): AsyncGenerator<Awaited<ReturnType<typeof capture.summary>>> {
  yield await capture.summary();
}

function fileOptions({ options, format, limits }: Plan, file: FilePlan, place: Place): FileOptions {
  const { packets, bytes } = limits;
  const isRing = file.nextBytes > 0n && file.keep > 0; // of which the size says what it takes
  const most = isRing ? bytes : place.maxBytes;
  return {
    ...options,
    format,
    ...(packets > 0n && { packets }),
    ...(most > 0n && { bytes: most }),
    ...(file.nextBytes > 0n && {
      nextFile: { bytes: file.nextBytes, ...(file.keep > 0 && { keep: file.keep }) },
    }),
  };
}

function limitOf(packets: bigint, { limits }: Plan): EndReason {
  if (limits.packets > 0n && packets >= limits.packets) return 'packets';
  return limits.bytes > 0n ? 'bytes' : 'space';
}

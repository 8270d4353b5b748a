import type { Registry } from 'prom-client';

import type { Counts } from '../captures/capture-counters.ts';
import { counter, gauge } from './made.ts';

export type CaptureMetricsParts = {
  readonly captures: { readonly count: number; readonly totals: Counts };
};

/** Captures of packets, those that run and those that have ended. */
export function captureMetrics(registry: Registry, { captures }: CaptureMetricsParts): void {
  gauge(registry, { name: 'nodeos_captures_running', help: 'Captures of packets.' }, () => [
    { value: captures.count },
  ]);
  counter(
    registry,
    { name: 'nodeos_capture_packets_total', help: 'Packets that captures have taken.' },
    () => [{ value: Number(captures.totals.received) }],
  );
  counter(
    registry,
    { name: 'nodeos_capture_bytes_total', help: 'Bytes of packets that captures have taken.' },
    () => [{ value: Number(captures.totals.bytes) }],
  );
  counter(
    registry,
    {
      name: 'nodeos_capture_dropped_packets_total',
      help: 'Packets that came while no room was left for them: whoever reads is too slow.',
    },
    () => [{ value: Number(captures.totals.dropped) }],
  );
}

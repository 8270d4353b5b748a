import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

import type { Registry } from 'prom-client';

import { counter, gauge } from './made.ts';

/** The agent as a process. */
export function processMetrics(registry: Registry): Disposable {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  gauge(
    registry,
    {
      name: 'nodeos_build_info',
      help: 'Which agent runs, and on what.',
      labelNames: ['version', 'runtime'],
    },
    () => [{ labels: { version, runtime: `node ${process.version}` }, value: 1 }],
  );
  gauge(
    registry,
    { name: 'nodeos_process_start_time_seconds', help: 'When it began, since the Unix epoch.' },
    () => [{ value: performance.timeOrigin / 1000 }],
  );
  counter(
    registry,
    { name: 'nodeos_process_cpu_seconds_total', help: 'Processor time it has used.', labelNames: ['mode'] },
    () => {
      const { user, system } = process.cpuUsage();
      return [
        { labels: { mode: 'user' }, value: user / 1e6 },
        { labels: { mode: 'system' }, value: system / 1e6 },
      ];
    },
  );
  gauge(registry, { name: 'nodeos_process_resident_memory_bytes', help: 'What it has in memory.' }, () => [
    { value: process.memoryUsage.rss() },
  ]);
  gauge(
    registry,
    { name: 'nodeos_process_heap_used_bytes', help: 'What of it are objects of JavaScript.' },
    () => [{ value: process.memoryUsage().heapUsed }],
  );
  gauge(registry, { name: 'nodeos_process_open_fds', help: 'Its open file descriptors.' }, () => [
    { value: readdirSync('/proc/self/fd').length - 1 }, // and the one that lists them
  ]);
  return eventLoop(registry);
}

/** How late timers are: every call waits as long. */
function eventLoop(registry: Registry): Disposable {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  gauge(
    registry,
    {
      name: 'nodeos_event_loop_delay_seconds',
      help: 'How late the loop was since it was last asked for.',
      // `quantile` is a word of summaries alone.
      labelNames: ['percentile'],
    },
    () => {
      const values = [50, 99, 100].map((percent) => ({
        labels: { percentile: String(percent) },
        value: delay.percentile(percent) / 1e9,
      }));
      delay.reset();
      return values;
    },
  );
  return { [Symbol.dispose]: () => void delay.disable() };
}

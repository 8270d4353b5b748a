import type { Configuration } from '@nodecore/config';
import type { Json } from '@nodecore/state';
import { type Clock, systemClock } from '@nodecore/waiting';

import { kernelLines } from '../link/kernel-lines.ts';
import { node } from '../node.ts';
import { kindOf } from '../resources/definitions.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { kmsgLogStatuses } from './definitions.ts';
import { Delivery } from './delivery.ts';
import { Receiver } from './receiver.ts';

/** How far each delivery is, is told so often. */
const lookMs = 5000;

type Running = { readonly url: string; readonly delivery: Delivery; end(): Promise<void> };

/** Who gets the lines of the kernel. Each receiver has a stream of its own: one that is slow keeps none waiting. */
export const kmsgLogs: Feature<undefined> = feature({
  name: 'kmsg-logs',
  needs: { node },
  writes: [kmsgLogStatuses],
  make: ({ node: { store, clock, log } }) => {
    const running = new Map<string, Running>();
    const publish = (): void => {
      const statuses = [...running].map(([name, { url, delivery }]): [string, Json] => {
        const { sent, dropped, error = '' } = delivery;
        // Without who logs in there.
        const { protocol, host } = new URL(url);
        return [name, { receiver: `${protocol}//${host}`, sent, dropped, error }];
      });
      store.replace(kindOf(kmsgLogStatuses), new Map(statuses), 'kmsg-logs');
    };
    const failed = (name: string, error: unknown): void =>
      log.error({ receiver: name, err: error }, 'lines of the kernel are not sent');
    return {
      handle: undefined,
      run: async (signal) => {
        while (!signal.aborted) {
          publish();
          await clock.sleep(lookMs, signal).catch(() => {}); // the loop asks the signal
        }
      },
      prepare: async ({ configuration }) => {
        const wanted = receiversOf(configuration);
        for (const [name, one] of running) {
          if (wanted.get(name)?.href === one.url) continue;
          running.delete(name);
          await one.end();
        }
        for (const [name, url] of wanted) {
          if (!running.has(name))
            running.set(
              name,
              begin(url, clock, (error) => failed(name, error)),
            );
        }
        publish();
      },
      close: async () => {
        await Promise.all([...running.values()].map((one) => one.end()));
        running.clear();
      },
    };
  },
});

function receiversOf(configuration: Configuration): ReadonlyMap<string, URL> {
  return new Map(configuration.all('KmsgLogConfig').map(({ name, url }) => [name, url]));
}

function begin(url: URL, clock: Clock, failed: (error: unknown) => void): Running {
  const stopping = new AbortController();
  const protocol = url.protocol === 'udp:' ? 'udp' : 'tcp';
  const host = url.hostname.replace(/^\[(.*)\]$/u, '$1');
  const delivery = new Delivery({
    receiver: new Receiver({ protocol, host, port: Number(url.port) }),
    records: (signal, idle) =>
      kernelLines(signal, undefined, { sleep: (ms, until) => sleepIdle(idle, ms, until) }),
    clock,
    bootMs: Date.now() - Number(process.hrtime.bigint() / 1_000_000n), // CLOCK_MONOTONIC, as the kernel's records
  });
  const done = delivery.run(stopping.signal).catch(failed);
  return {
    url: url.href,
    delivery,
    end: async () => {
      stopping.abort();
      await done;
    },
  };
}

async function sleepIdle(idle: () => void, ms: number, signal?: AbortSignal): Promise<void> {
  idle();
  await systemClock.sleep(ms, signal);
}

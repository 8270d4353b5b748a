import { readFile } from 'node:fs/promises';

import { kernelArgument } from '@nodecore/config/kernel-arguments';
import type { Configuration } from '@nodecore/config';
import { serviceRecordJson } from '@nodecore/host';
import type { Json } from '@nodecore/state';
import { type Clock, Serial, systemClock } from '@nodecore/waiting';

import { kernelArguments } from '../image/kernel-arguments.ts';
import { kernelLines } from '../link/kernel-lines.ts';
import { node } from '../node.ts';
import { kindOf } from '../resources/definitions.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { kmsgLogStatuses } from './definitions.ts';
import { Delivery, type DeliveryParts } from './delivery.ts';
import { Receiver } from './receiver.ts';

/** How far each delivery is, is told so often. */
const lookMs = 5000;

type Running = { readonly wanted: WantedReceiver; readonly delivery: Delivery; end(): Promise<void> };

/** Who gets the lines of the kernel. Each receiver has a stream of its own: one that is slow keeps none waiting. */
export const kmsgLogs: Feature<undefined> = feature({
  name: 'kmsg-logs',
  needs: { node },
  writes: [kmsgLogStatuses],
  make: ({ node: { options, store, clock, log } }) => {
    const running = new Map<string, Running>();
    const publish = (): void => {
      const statuses = [...running].map(([name, { wanted, delivery }]): [string, Json] => {
        const { sent, dropped, error = '' } = delivery;
        // Without who logs in there.
        const { protocol, host } = wanted.url;
        return [name, { receiver: `${protocol}//${host}`, sent, dropped, error }];
      });
      store.replace(kindOf(kmsgLogStatuses), new Map(statuses), 'kmsg-logs');
    };
    const failed = (name: string, error: unknown): void =>
      log.error({ receiver: name, err: error }, 'lines of the kernel are not sent');
    const turn = new Serial();
    const become = (wanted: ReadonlyMap<string, WantedReceiver>): Promise<void> =>
      turn.run(async () => {
        for (const [name, one] of running) {
          if (isSame(wanted.get(name), one.wanted)) continue;
          running.delete(name);
          await one.end();
        }
        for (const [name, receiver] of wanted) {
          if (!running.has(name))
            running.set(
              name,
              begin(receiver, clock, (error) => failed(name, error)),
            );
        }
        publish();
      });
    let isConfigured = false;
    const ofKernel = (): Promise<ReadonlyMap<string, WantedReceiver>> =>
      kernelReceiver(options.image?.kernelCommandLine).catch((err: unknown) => {
        log.warn({ err }, 'os.logging.kernel of the command line is left out');
        return new Map();
      });
    return {
      handle: undefined,
      run: async (signal) => {
        const first = await ofKernel();
        if (!isConfigured) await become(first);
        while (!signal.aborted) {
          publish();
          await clock.sleep(lookMs, signal).catch(() => {}); // the loop asks the signal
        }
      },
      prepare: async ({ configuration }) => {
        isConfigured = true;
        await become(new Map([...(await ofKernel()), ...wantedReceivers(configuration)]));
      },
      close: async () => {
        await Promise.all([...running.values()].map((one) => one.end()));
        running.clear();
      },
    };
  },
});

/** By the name of the argument: whom `os.logging.kernel=` names. @throws {Error} when that is no address. */
export async function kernelReceiver(path: string | undefined): Promise<ReadonlyMap<string, WantedReceiver>> {
  const argument = kernelArgument.loggingKernel;
  if (path === undefined) return new Map();
  const text = kernelArguments(await readFile(path, 'utf8')).get(argument);
  if (text === undefined) return new Map();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWhole =
    url !== undefined && url.port !== '' && url.hostname !== '' && /^(?:tcp|udp):$/u.test(url.protocol);
  if (!isWhole) throw new Error('it is no tcp://host:port and no udp://host:port');
  return new Map([[argument, { url }]]);
}

/** Who gets lines; with tags, the lines of services with these fields besides. */
export type WantedReceiver = { readonly url: URL; readonly tags?: Readonly<Record<string, string>> };

/** By name: of documents, and of the destinations in the root document. */
export function wantedReceivers(configuration: Configuration): ReadonlyMap<string, WantedReceiver> {
  const documents = configuration.all('KmsgLogConfig').map(({ name, url }) => [name, { url }] as const);
  const destinations = (configuration.machine?.logging ?? []).map(
    ({ endpoint, extraTags }, index) =>
      [`machine.logging.${index}`, { url: endpoint, tags: Object.fromEntries(extraTags) }] as const,
  );
  return new Map<string, WantedReceiver>([...documents, ...destinations]);
}

function isSame(one: WantedReceiver | undefined, other: WantedReceiver): boolean {
  return one?.url.href === other.url.href && JSON.stringify(one.tags) === JSON.stringify(other.tags);
}

/** What sends the lines to one receiver. @param records another kernel's in tests */
export function deliveryOf(
  { url, tags }: WantedReceiver,
  clock: Clock,
  records: DeliveryParts['records'] = (signal, idle) =>
    kernelLines(signal, undefined, { sleep: (ms, until) => sleepIdle(idle, ms, until) }),
): Delivery {
  const protocol = url.protocol === 'udp:' ? 'udp' : 'tcp';
  const host = url.hostname.replace(/^\[(.*)\]$/u, '$1');
  return new Delivery({
    receiver: new Receiver({ protocol, host, port: Number(url.port) }),
    records,
    ...(tags && { encode: (record, bootMs) => serviceRecordJson(record, bootMs, tags) }),
    clock,
    bootMs: Date.now() - Number(process.hrtime.bigint() / 1_000_000n), // CLOCK_MONOTONIC, as the kernel's records
  });
}

function begin(wanted: WantedReceiver, clock: Clock, failed: (error: unknown) => void): Running {
  const stopping = new AbortController();
  const delivery = deliveryOf(wanted, clock);
  const done = delivery.run(stopping.signal).catch(failed);
  return {
    wanted,
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

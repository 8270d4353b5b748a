import { readFile } from 'node:fs/promises';

import { kernelArgument } from '@nodecore/config/kernel-arguments';
import { type EventSinkEndpoint, parseEventSink } from '@nodecore/config';
import type { Json } from '@nodecore/state';
import { Serial } from '@nodecore/waiting';

import { kernelArguments } from '../image/kernel-arguments.ts';
import { maintenanceStatuses } from '../maintenance/definitions.ts';
import { node } from '../node.ts';
import { persistence } from '../persistence/feature.ts';
import { kindOf } from '../resources/definitions.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { eventSinkStatuses } from './definitions.ts';
import { eventLog } from './feature.ts';
import { Sink } from './sink.ts';
import { SinkConnection } from './sink-connection.ts';
import { SinkCursor } from './sink-cursor.ts';

/** How far the sending is, is told so often. */
const lookMs = 2000;

type Wanted = { readonly endpoint: EventSinkEndpoint; readonly authorities: readonly string[] };
type Running = { readonly key: string; readonly sink: Sink; end(): Promise<void> };

/** Who collects the events of the node: by the kernel's command line before there is a configuration, and by that from then on. */
export const eventSink: Feature<undefined> = feature({
  name: 'event-sink',
  needs: { node, eventLog, persistence },
  reads: [maintenanceStatuses],
  writes: [eventSinkStatuses],
  make: ({ node: { options, store, clock, log }, eventLog: events, persistence: state }) => {
    let running: Running | undefined;
    let isConfigured = false;
    const publish = (): void => {
      const statuses = running === undefined ? [] : ([['sink', statusOf(running)]] as const);
      store.replace(kindOf(eventSinkStatuses), new Map<string, Json>(statuses), 'event-sink');
    };
    const turn = new Serial();
    const become = (wanted: Wanted | undefined): Promise<void> =>
      turn.run(async () => {
        const key = JSON.stringify(wanted);
        if (running?.key === key) return;
        await running?.end();
        running = wanted && begin(wanted, key);
        publish();
      });
    const begin = ({ endpoint, authorities }: Wanted, key: string): Running => {
      const connection = new SinkConnection(endpoint, authorities);
      const cursor = new SinkCursor({
        receiver: endpoint.text,
        path: () => state.path('event-sink.json'),
        events,
        mayPastCome: () => store.get({ ...kindOf(maintenanceStatuses), id: 'maintenance' }) === undefined,
        clock,
      });
      const sink = new Sink({
        events,
        clock,
        cursor,
        publish: (request, signal) => connection.publish(request, signal),
      });
      const stopping = new AbortController();
      const done = sink.run(stopping.signal);
      return {
        key,
        sink,
        end: async () => {
          stopping.abort();
          await done;
          connection[Symbol.dispose]();
        },
      };
    };
    return {
      handle: undefined,
      run: async (signal) => {
        const endpoint = await endpointOfKernel(options.image?.kernelCommandLine).catch((err: unknown) => {
          log.warn({ err }, 'os.events.sink of the command line is left out');
          return undefined;
        });
        if (!isConfigured) await become(endpoint && { endpoint, authorities: [] });
        while (!signal.aborted) {
          publish();
          await clock.sleep(lookMs, signal).catch(() => {}); // the loop asks the signal
        }
      },
      prepare: async ({ configuration }) => {
        isConfigured = true;
        const endpoint = configuration.get('EventSinkConfig')?.endpoint;
        const authorities = configuration
          .all('TrustedRootsConfig')
          .flatMap(({ certificates }) => certificates);
        const ofKernel = await endpointOfKernel(options.image?.kernelCommandLine).catch(() => undefined);
        const wanted = endpoint ?? ofKernel;
        await become(wanted && { endpoint: wanted, authorities });
      },
      close: () => become(undefined),
    };
  },
});

function statusOf({ key, sink }: Running): Json {
  const { endpoint } = JSON.parse(key) as Wanted;
  const { sent, waiting, lost, error = '' } = sink;
  return { endpoint: endpoint.text, sent, waiting, lost, error };
}

/** @throws {Error} for an argument that names nothing. */
async function endpointOfKernel(path: string | undefined): Promise<EventSinkEndpoint | undefined> {
  if (path === undefined) return undefined;
  const text = kernelArguments(await readFile(path, 'utf8')).get(kernelArgument.eventsSink);
  if (text === undefined) return undefined;
  const endpoint = parseEventSink(text);
  if (endpoint === undefined) throw new Error('it is no host:port, with or without grpcs:// in front');
  return endpoint;
}

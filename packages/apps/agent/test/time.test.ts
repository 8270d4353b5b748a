import { HostError } from '@nodecore/host';
import { parse } from '@nodecore/config';
import { type Json, Store } from '@nodecore/state';
import test from 'ava';

import { configured } from '../src/applied/applied-controller.ts';
import { leaseNames } from '../src/dhcp/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';
import type { ClockReport } from '../src/time/chronyd.ts';
import { timeStatuses, timeSyncConfigs } from '../src/time/definitions.ts';
import { timeSyncController, type TimeSyncParts } from '../src/time/time-sync.ts';
import { publicServer, timeSpec, wantedTime } from '../src/time/wanted.ts';
import { runControllers, until } from './controllers.ts';

const leases = (timeServers: readonly string[]): readonly never[] =>
  [{ spec: { layer: 'operator', timeServers: [...timeServers] } }] as unknown as never[];
const specOf = (text: string): Json => {
  using configuration = parse(`apiVersion: v1alpha1\nkind: TimeSyncConfig\n${text}`);
  return timeSpec(configuration);
};

test('documents count before the network, and the network before public servers, which are authenticated', (t) => {
  const named = specOf('ntp: {servers: [a.example], useNTS: true}\nbootTimeout: 2m\n');
  t.deepEqual(wantedTime(named, leases(['10.0.0.1'])), {
    sources: { servers: ['a.example'], clocks: [], isAuthenticated: true },
    bootTimeoutSeconds: 120,
  });
  t.deepEqual(wantedTime(specOf('ptp: {devices: [/dev/ptp0]}\n'), []).sources, {
    servers: [],
    clocks: ['/dev/ptp0'],
    isAuthenticated: false,
  });
  const silent: Json = { enabled: true, servers: [], clocks: [] };
  t.deepEqual(wantedTime(silent, leases(['10.0.0.1'])).sources?.servers, ['10.0.0.1']);
  t.like(wantedTime(silent, []), {
    sources: { servers: [publicServer], isAuthenticated: true },
    bootTimeoutSeconds: undefined,
  });
  t.like(wantedTime(specOf('ntp: {useNTS: true}\n'), leases(['10.0.0.1'])).sources, {
    servers: [publicServer],
    isAuthenticated: true,
  });
  t.is(wantedTime(specOf('enabled: false\n'), leases(['10.0.0.1'])).sources, undefined);
});

const followed: ClockReport = {
  tracking: { source: '10.0.0.1', stratum: 2, offsetSeconds: 0.001, frequencyPpm: 3 },
  sources: [{ name: '10.0.0.1', state: 'followed', stratum: 1, reach: 255 }],
};
const silent: ClockReport = { tracking: undefined, sources: [] };

class FakeChronyd implements NonNullable<TimeSyncParts['chronyd']> {
  said: ClockReport | undefined = silent;
  readonly asked: string[] = [];

  follow(sources: { readonly servers: readonly string[] }): Promise<void> {
    if (sources.servers.includes('bad'))
      return Promise.reject(new HostError('ERR_HOST_VALUE', 'bad', 'is none'));
    this.asked.push(sources.servers.join(' '));
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.asked.push('stop');
    return Promise.resolve();
  }

  report(): Promise<ClockReport | undefined> {
    return Promise.resolve(this.said);
  }
}

const want = (store: Store, spec: Json): void =>
  store.replace(kindOf(timeSyncConfigs), new Map([[configured, spec]]), 'test');
const spec = (change: Readonly<Record<string, Json>> = {}): Json => ({
  enabled: true,
  servers: ['10.0.0.1'],
  clocks: [],
  bootTimeoutSeconds: 60,
  ...change,
});

test('the clock is right when it is close to whom it follows; a boot waits for it once, and only so long', async (t) => {
  const [store, chronyd] = [new Store(), new FakeChronyd()];
  let [monotonicMs, wallMs] = [0, 1000];
  const { clock } = runControllers(t, store, (fake) =>
    timeSyncController({
      clock: fake,
      chronyd,
      authorities: () => [],
      monotonicMs: () => monotonicMs,
      wallMs: () => wallMs,
    }),
  );
  const status = async (holds: (spec: Record<string, Json>) => boolean): Promise<void> => {
    await until(store, kindOf(timeStatuses), ([one]) => one !== undefined && holds(one.spec as never));
  };
  want(store, spec());
  await status(({ synced, ready, epoch }) => synced === false && ready === false && epoch === 0);
  [monotonicMs, wallMs] = [61_000, 62_000];
  clock.advance(5000);
  await status(({ synced, ready }) => synced === false && ready === true);
  chronyd.said = followed;
  [monotonicMs, wallMs] = [66_000, 67_000 + 16 * 60_000];
  clock.advance(5000);
  await status(({ synced, source, epoch }) => synced === true && source === '10.0.0.1' && epoch === 1);
  want(store, spec({ enabled: false }));
  await status(
    ({ synced, ready, syncDisabled }) => synced === false && ready === true && syncDisabled === true,
  );
  t.is(chronyd.asked.at(-1), 'stop');
});

test('servers of a lease are asked when they come, and what can not be asked is a reason', async (t) => {
  const [store, chronyd] = [new Store(), new FakeChronyd()];
  runControllers(t, store, (clock) => timeSyncController({ clock, chronyd, authorities: () => [] }));
  want(store, { enabled: true, servers: [], clocks: [] });
  await until(store, kindOf(timeStatuses), ({ length }) => length === 1);
  t.deepEqual(chronyd.asked, [publicServer]);
  store.replace(kindOf(leaseNames), new Map([['eth0', { timeServers: ['10.0.0.9'] }]]), 'test');
  chronyd.said = followed;
  await until(store, kindOf(timeStatuses), ([one]) => JSON.stringify(one?.spec).includes('followed'));
  t.is(chronyd.asked.at(-1), '10.0.0.9');
  want(store, spec({ servers: ['bad'] }));
  const [one] = await until(store, kindOf(timeStatuses), ([each]) =>
    JSON.stringify(each?.spec).includes('error'),
  );
  t.like(one?.spec, { synced: false, error: 'bad: is none' });
});

test("where the clock is the host's own nothing is done, and the status says so", async (t) => {
  const store = new Store();
  runControllers(t, store, (clock) =>
    timeSyncController({ clock, chronyd: undefined, authorities: () => [] }),
  );
  want(store, spec());
  const [one] = await until(store, kindOf(timeStatuses), ({ length }) => length === 1);
  t.like(one?.spec, { synced: false, hostClock: true, error: 'this host keeps its own clock' });
});

import { join } from 'node:path';

import { pki } from '@nodecore/api';
import { get, type Kvstore } from '@nodecore/kvstore';
import { type Clock, systemClock } from '@nodecore/sys';
import { etcdProgram, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { peerPort, urlOf } from '../src/kvstore/addresses.ts';
import { etcdVersion } from '../src/kvstore/etcd-process.ts';
import { live } from '../src/kvstore/member-life.ts';
import { createLog } from '../src/log.ts';
import { ownAddress } from './kvstore-agent.ts';

/** Looks at a healthy member come when the test says so, and so does the time of day. */
class LookClock implements Clock {
  nowMs = Date.now();
  #asleep = Promise.withResolvers<void>();
  #wake = Promise.withResolvers<void>();

  now(): number {
    return this.nowMs;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms < 1_000) {
      await systemClock.sleep(ms, signal);
      return;
    }
    const { promise, reject } = Promise.withResolvers<never>();
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
    this.#asleep.resolve();
    await Promise.race([this.#wake.promise, promise]);
  }

  /** Resolves when it has looked. */
  asleep(): Promise<void> {
    return this.#asleep.promise;
  }

  /** Resolves when it has looked once more. */
  async look(): Promise<void> {
    this.#asleep = Promise.withResolvers<void>();
    const { resolve } = this.#wake;
    this.#wake = Promise.withResolvers<void>();
    resolve();
    await this.#asleep.promise;
  }
}

testWith(
  root,
  program('setpriv'),
  program('etcd'),
)('a clock that is set back takes the connection from nobody who works with it', async (t) => {
  const directory = await temporaryDirectory(t);
  const address = ownAddress();
  const peer = urlOf(address, peerPort);
  const settings = {
    ca: await pki.createCA('kvstore'),
    endpoints: [],
    advertisedSubnets: [],
    listenSubnets: [],
    extraArgs: new Map<string, string>(),
  };
  const clock = new LookClock();
  const used: (Kvstore | undefined)[] = [];
  let isBusy = true;
  const ending = new AbortController();
  const path = etcdProgram('etcd');
  const life = live(
    {
      version: await etcdVersion(path),
      name: 'a',
      dataDirectory: join(directory, 'data'),
      addresses: { listen: [address], advertised: address, local: address },
      beginning: { state: 'new', members: [`a=${peer}`], token: 'token' },
      extraArgs: settings.extraArgs,
      program: path,
      settings: () => settings,
      runDirectory: join(directory, 'run'),
      log: createLog('silent'),
      clock,
      tell: () => {},
      use: (kvstore) => used.push(kvstore),
      healthy: () => Promise.resolve(),
      looked: () => Promise.resolve(),
      isBusy: () => isBusy,
    },
    ending.signal,
  );
  life.catch(() => {}); // awaited below
  try {
    await Promise.race([clock.asleep(), life]);
    t.is(used.length, 1);
    clock.nowMs -= 3_600_000;
    await clock.look();
    await clock.look();
    t.is(used.length, 1, 'it is busy');
    const [first] = used;
    if (first === undefined) throw new Error('it has a connection');
    await t.notThrowsAsync(get(first, 'key'));

    isBusy = false;
    await clock.look();
    t.is(used.length, 3, 'another one took its place');
    t.is(used[1], undefined);
    t.not(used[2], first);
  } finally {
    ending.abort();
    await life.catch(() => {});
  }
});

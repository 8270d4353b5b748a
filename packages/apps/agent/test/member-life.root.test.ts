import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';

import * as pki from '@nodecore/pki';
import { get, type Kvstore, put, snapshotStream } from '@nodecore/kvstore';
import { Supervisor } from '@nodecore/supervisor';
import { type Clock, systemClock } from '@nodecore/waiting';
import { etcdProgram, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { clientPort, peerPort, urlOf } from '../src/kvstore/addresses.ts';
import { etcdVersion } from '../src/kvstore/etcd-process.ts';
import { runMember } from '../src/kvstore/run-member.ts';
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

const real = testWith(root, program('setpriv'), program('etcd'));
const dayMs = 86_400_000;

type Scene = {
  readonly clock: LookClock;
  /** What was handed out, in that order. */
  readonly used: (Kvstore | undefined)[];
  /** Of etcd, as it was told. */
  readonly pids: Set<number>;
  readonly busy: { isBusy: boolean };
  readonly runDirectory: string;
  readonly address: string;
  readonly ca: pki.Identity;
};

/** A member that is healthy. Ends with the test. */
async function scene(t: ExecutionContext): Promise<Scene> {
  const directory = await temporaryDirectory(t);
  const address = ownAddress();
  const peer = urlOf(address, peerPort);
  const ca = await pki.createCA('kvstore');
  const settings = {
    ca,
    endpoints: [],
    advertisedSubnets: [],
    listenSubnets: [],
    extraArgs: new Map<string, string>(),
  };
  const [clock, busy, runDirectory] = [new LookClock(), { isBusy: false }, join(directory, 'run')];
  const used: (Kvstore | undefined)[] = [];
  const pids = new Set<number>();
  const ending = new AbortController();
  const path = etcdProgram('etcd');
  const services = await Supervisor.open({ directory: join(directory, 'services'), tethered: true });
  const life = runMember(
    {
      version: await etcdVersion(path),
      name: 'a',
      dataDirectory: join(directory, 'data'),
      addresses: { listen: [address], advertised: address, local: address },
      beginning: { state: 'new', members: [`a=${peer}`], token: 'token' },
      extraArgs: settings.extraArgs,
      program: path,
      service: services.claim('etcd'),
      settings: () => settings,
      runDirectory,
      log: createLog('silent'),
      clock,
      tell: ({ pid }) => {
        if (pid !== undefined) pids.add(pid);
      },
      use: (kvstore) => used.push(kvstore),
      healthy: () => Promise.resolve(),
      looked: () => Promise.resolve(),
      isBusy: () => busy.isBusy,
    },
    ending.signal,
  );
  life.catch(() => {}); // awaited below
  t.teardown(async () => {
    ending.abort();
    await life.catch(() => {});
    await services[Symbol.asyncDispose]();
  });
  await Promise.race([clock.asleep(), life]);
  return { clock, used, pids, busy, runDirectory, address, ca };
}

/** What the member shows to who asks it now. */
async function shown({ address, ca }: Scene): Promise<string> {
  const socket = connectTls({ host: address, port: clientPort, ca: ca.crt, ALPNProtocols: ['h2'] });
  socket.on('error', () => {}); // we show nothing, and it says so after the handshake
  await once(socket, 'secureConnect');
  const fingerprint = socket.getPeerX509Certificate()?.fingerprint256 ?? '';
  socket.destroy();
  return fingerprint;
}

async function issued({ runDirectory }: Scene): Promise<string> {
  return new X509Certificate(await readFile(join(runDirectory, 'server.crt'))).fingerprint256;
}

function firstOf({ used: [first] }: Scene): Kvstore {
  if (first === undefined) throw new Error('it has a connection');
  return first;
}

real('a clock that is set back takes the connection from nobody who works with it', async (t) => {
  const member = await scene(t);
  const { clock, used, busy } = member;
  busy.isBusy = true;
  t.is(used.length, 1);
  clock.nowMs -= 3_600_000;
  await clock.look();
  await clock.look();
  t.is(used.length, 1, 'it is busy');
  const first = firstOf(member);
  await t.notThrowsAsync(get(first, 'key'));

  busy.isBusy = false;
  await clock.look();
  t.is(used.length, 2, 'another one took its place, without a moment between');
  t.not(used[1], first);
  await t.notThrowsAsync(get(first, 'key'), 'a call that began with it ends with it');
});

real('certificates are renewed under a snapshot that runs, and etcd is not started again', async (t) => {
  const member = await scene(t);
  const { clock, used, pids } = member;
  const first = firstOf(member);
  const value = Buffer.alloc(1 << 20, 'v');
  for (let index = 0; index < 40; index += 1) await put(first, `key-${index}`, value);
  const stream = snapshotStream(first);
  const pieces = stream[Symbol.asyncIterator]();
  let bytes = BigInt((await pieces.next()).value?.length ?? 0);
  const before = await shown(member);
  t.is(before, await issued(member));

  for (const jumpMs of [dayMs / 2 + 1, 3 * dayMs, -30 * dayMs]) {
    clock.nowMs += jumpMs;
    await clock.look();
    const now = await shown(member);
    t.is(now, await issued(member), 'what the file has is shown');
    t.not(now, before);
  }
  t.is(new Set(used).size, 4);
  t.is(pids.size, 1);
  await t.notThrowsAsync(get(used.at(-1) ?? first, 'key'));

  t.true(bytes < (stream.totalBytes ?? 0n) / 2n, 'most of it is still to come');
  for await (const piece of { [Symbol.asyncIterator]: () => pieces }) bytes += BigInt(piece.length);
  t.is(stream.totalBytes, bytes);
});

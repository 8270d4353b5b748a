import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CaptureReader } from '@nodecore/capture/formats';

import { openPlace, small } from './capture/place.ts';
import type { RemoteMeasured, RemoteRun } from './capture/remote-protocol.ts';
import { limit } from './limit.ts';
import { ask, type Bench, type Question } from './question.ts';

type Place = (run: RemoteRun) => Promise<RemoteMeasured>;

const sides = {
  ours: 'osctl pcap -o',
  tcpdump: 'tcpdump -w - | openssl',
} as const;

const traffic = { ...small, path: '/dev/null', warmUp: 400_000 };
/** So many that both sides have time to spare. */
const steady = { ...traffic, count: 400_000, perSecond: 200_000 };
/** Half of what the ring holds: none is lost while it waits there. */
const burst = { ...traffic, warmUp: 200_000, count: 200_000 };
/** More than the ring holds, at a rate that leaves neither end much time to spare. */
const sustained = { ...traffic, count: 1_500_000, perSecond: 500_000 };
/** For the comparison of answers: with a number in each frame, and so slow that nothing may be lost. */
const numbered = {
  ...traffic,
  arrival: 'even',
  frameBytes: 100,
  warmUp: 0,
  count: 10_000,
  perSecond: 20_000,
} as const;

export const bench: Bench = {
  async prepare(stack) {
    const place: Place = await openPlace<RemoteMeasured>(stack, 'remote-stage.ts');
    const question = (
      name: string,
      text: string,
      gate: number,
      of: (side: RemoteRun['side']) => () => Promise<number>,
    ): Question =>
      ask({
        name: `capture-remote-${name}`,
        question: text,
        gate,
        unit: 'ns',
        rounds: 7,
        ours: { name: sides.ours, run: () => captured(place, 'ours'), sample: of('ours') },
        peer: { name: sides.tcpdump, run: () => captured(place, 'tcpdump'), sample: of('tcpdump') },
      });
    return [
      question(
        'node',
        'How much processor time does the node spend on a packet of 60 bytes for a user elsewhere, over TLS?',
        1.5,
        (side) => async () => (await place({ ...steady, side })).nodeNs,
      ),
      question(
        'user',
        'How much processor time does the user spend on it?',
        2,
        (side) => async () => (await place({ ...steady, side })).userNs,
      ),
      question(
        'rate',
        'How long does the user wait for each of 200 000 packets that come in a fifth of a second, none lost?',
        2,
        (side) => () => inUsersFile(async (path) => (await place({ ...burst, side, path })).arrivalNs ?? NaN),
      ),
      limit({
        name: 'capture-remote-lossless',
        question:
          'How many packets come in for each that the user gets, at 500 000 a second for three seconds?',
        ours: 'came in ÷ got',
        budget: 1,
        unit: '',
        rounds: 7,
        sample: async () => {
          const { packets } = await place({ ...sustained, side: 'ours' });
          return (sustained.warmUp + sustained.count) / packets;
        },
      }),
    ];
  },
};

/** Packets that a user has got, as a sum over what they are. */
function captured(place: Place, side: RemoteRun['side']): Promise<string> {
  return inUsersFile(async (path) => {
    await place({ ...numbered, side, path });
    const sum = createHash('sha256');
    let packets = 0;
    for await (const { data } of new CaptureReader(createReadStream(path))) {
      sum.update(data);
      packets += 1;
    }
    return `${packets} packets, ${sum.digest('hex')}`;
  });
}

async function inUsersFile<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
  try {
    return await work(join(directory, 'user.pcap'));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

import { openStage, small, type Stage } from './capture/place.ts';
import type { Run } from './capture/protocol.ts';
import { limit } from './limit.ts';
import type { Bench } from './question.ts';

const decode: Run = { side: 'ours', kind: 'decode', sink: 'null', ...small };
/** As many as leave the processors time to be prompt. */
const steady: Run = {
  ...decode,
  kind: 'prompt',
  warmUp: 100_000,
  count: 200_000,
  perSecond: 100_000,
  arrival: 'even',
};
const threeSeconds = 3_000_000;
const rounds = 7;

export const bench: Bench = {
  async prepare(stack) {
    const stage = await openStage(stack);
    return [
      limit({
        name: 'capture-time-stop',
        rounds,
        question: 'How long do packets go on after a stop, in the middle of a million a second?',
        ours: 'capture.stop to the end',
        budget: 5,
        sample: async () => of((await stage({ ...decode, kind: 'stop' })).stopMs),
      }),
      limit({
        name: 'capture-time-latency',
        rounds,
        question: 'How late are packets in JavaScript when blocks are handed over after 1 ms?',
        ours: 'p99 of 100 000 a second',
        budget: 1.5,
        sample: async () => of((await stage(steady)).latencyMs),
      }),
      limit({
        name: 'capture-time-loop-delay',
        rounds,
        question: 'How much does a capture of a million a second delay the event loop beyond idle?',
        ours: 'p99 delay during a capture − idle',
        budget: 1,
        sample: async () => await loopDelayMs(stage),
      }),
      limit({
        name: 'capture-time-lossless',
        rounds,
        question: 'How many frames are sent for each that arrives, at a million a second for three seconds?',
        ours: 'sent ÷ received',
        budget: 1,
        unit: '',
        sample: async () => {
          const { packets } = await stage({ ...decode, warmUp: 0, count: threeSeconds });
          return threeSeconds / packets;
        },
      }),
    ];
  },
};

async function loopDelayMs(stage: Stage): Promise<number> {
  const { loopDelayMs: during, idleDelayMs: idle } = await stage({ ...decode, kind: 'prompt' });
  return Math.max(0, of(during) - of(idle));
}

function of(measured: number | undefined): number {
  if (measured === undefined) throw new TypeError('the receiver did not say');
  return measured;
}

import { installCap } from './capture/cap.ts';
import { openStage, small, type Stage } from './capture/place.ts';
import type { Measured, Run } from './capture/protocol.ts';
import { ask, type Bench } from './question.ts';

/** It crashes in some runs (docs/decisions/capture.md); so many in a row would be something else. */
const maxCrashes = 5;
/** What its ring can hold at once: it loses packets at any rate that this machine can send. */
const few = { warmUp: 0, count: 200, perSecond: 10_000 };

export const bench: Bench = {
  async prepare(stack) {
    const missing = await installCap();
    if (missing !== undefined) {
      console.error(`capture-cap is left out, as npm cap can't be built here: ${missing}`);
      return [];
    }
    const stage = await openStage(stack);
    const ours: Run = { side: 'ours', kind: 'decode', sink: 'null', ...small };
    const peer: Run = { ...ours, side: 'cap' };
    return [
      ask({
        name: 'capture-cap',
        question:
          'How much processor time does a packet of 60 bytes take until JavaScript knows its 5-tuple?',
        gate: 0.07,
        unit: 'ns',
        rounds: 7,
        ours: {
          name: 'capture.open',
          run: async () => (await stage({ ...ours, ...few })).packets,
          sample: async () => (await stage(ours)).nsPerPacket,
        },
        peer: {
          name: 'cap, per packet that it did not lose',
          run: async () => (await surviving(stage, { ...peer, ...few })).packets,
          sample: async () => (await surviving(stage, peer)).nsPerPacket,
        },
      }),
    ];
  },
};

async function surviving(stage: Stage, run: Run): Promise<Measured> {
  for (let crashes = 0; ; crashes += 1) {
    try {
      return await stage(run);
    } catch (error) {
      if (crashes === maxCrashes) throw error;
    }
  }
}

import { openStage, small, type Stage, type Traffic } from './capture/place.ts';
import type { Run } from './capture/protocol.ts';
import { ask, type Bench, type Question } from './question.ts';

/** As much again first: 50 000 left V8 compiling in what is measured, 20 ns a packet. */
const large: Traffic = {
  ...small,
  frameBytes: 1514,
  warmUp: 200_000,
  count: 200_000,
  perSecond: 200_000,
};
/** One packet in ten is wanted: how often is somebody woken for it? */
const sparse = { ...small, percent: 10, filter: 'udp port 5000' };
/** For the comparison of answers: so slow that nothing may be lost. */
const slow = { warmUp: 0, count: 20_000, perSecond: 100_000 };

const intoFile = { kind: 'write', sink: 'file' } as const;
const intoNothing = { kind: 'write', sink: 'null' } as const;

export const bench: Bench = {
  async prepare(stack) {
    const stage = await openStage(stack);
    const question = (
      name: string,
      text: string,
      gate: number,
      traffic: Traffic,
      ours: Pick<Run, 'kind' | 'sink'>,
      peer: Pick<Run, 'sink'>,
    ): Question =>
      ask({
        name: `capture-${name}`,
        question: `How much processor time does a packet of ${traffic.frameBytes} bytes take ${text}?`,
        gate,
        unit: 'ns',
        rounds: 7,
        ours: side(stage, { side: 'ours', ...ours, ...traffic }),
        peer: side(stage, { side: 'tcpdump', kind: 'write', ...peer, ...traffic }),
      });
    return [
      question('file', 'on its way into a file', 0.3, small, intoFile, intoFile),
      question('null', 'on its way into /dev/null', 0.25, small, intoNothing, intoNothing),
      question(
        'decode',
        'until JavaScript knows its 5-tuple',
        0.5,
        small,
        { kind: 'decode', sink: 'null' },
        intoNothing,
      ),
      question('sparse', 'when one in ten is wanted, into /dev/null', 1, sparse, intoNothing, intoNothing),
      question('large-file', 'on its way into a file', 0.45, large, intoFile, intoFile),
      question(
        'large-lent',
        'where the kernel wrote it',
        0.35,
        large,
        { kind: 'lent', sink: 'null' },
        intoNothing,
      ),
    ];
  },
};

function side(stage: Stage, run: Run): Question['ours'] {
  const name =
    run.side === 'tcpdump' ? `tcpdump -w ${run.sink === 'null' ? '/dev/null' : 'FILE'}` : ourName(run);
  return {
    name,
    run: async () => {
      const { packets, dropped } = await stage({ ...run, ...slow });
      return { packets, dropped };
    },
    sample: async () => {
      const measured = await stage(run);
      const seen = measured.packets + measured.dropped;
      const expected = ((run.warmUp + run.count) * run.percent) / 100;
      if (Math.abs(seen - expected) > 1)
        throw new Error(`${name}: ${seen} of ${expected} packets accounted for`);
      if (measured.dropped > 0 && run.side === 'ours')
        throw new Error(`${name}: ${measured.dropped} dropped`);
      return measured.nsPerPacket;
    },
  };
}

function ourName({ kind, sink }: Run): string {
  if (kind === 'decode') return 'capture.open';
  if (kind === 'lent') return 'capture.openRing';
  return sink === 'null' ? 'captureToFile /dev/null' : 'captureToFile';
}

import { loopDelayMs } from './loop-delay.ts';
import { limit } from './limit.ts';
import { ask, type Bench, type Question } from './question.ts';
import { TrimScene } from './trim-scene.ts';

const budgetMs = 1;

export const bench: Bench = {
  async prepare(stack) {
    const ext4 = await TrimScene.make(stack, 'ext4');
    const xfs = await TrimScene.make(stack, 'xfs');
    return [...timeQuestions(ext4), givenBack('ext4', ext4, 1.01), givenBack('xfs', xfs, 1)];
  },
};

/** Whether a trim gave back what it should, for the check of the answers: the rest is within 64 MiB of what is in use. */
async function isClean(scene: TrimScene, work: () => Promise<unknown>): Promise<boolean> {
  await scene.soil();
  const before = await scene.usedMib();
  await work();
  return before - (await scene.usedMib()) > 700;
}

function timeQuestions(scene: TrimScene): readonly Question[] {
  const ours = () => scene.ours();
  const peer = () => scene.peer();
  const check = { ours: () => isClean(scene, ours), peer: () => isClean(scene, peer) };
  const whole = { name: 'fstrim', run: check.peer, sample: () => scene.timed(peer) };
  return [
    ask({
      name: 'trim-time',
      question: 'How long does a trim of a 2 GiB ext4 take in ranges, and as one call of fstrim?',
      gate: 1.05,
      rounds: 11,
      ours: { name: 'trim', run: check.ours, sample: () => scene.timed(ours) },
      peer: whole,
    }),
    ask({
      name: 'trim-longest-range',
      question: 'How long is the longest call of a trim in ranges, which nothing can interrupt?',
      gate: 1 / 4,
      rounds: 9,
      ours: {
        name: 'the longest range',
        run: check.ours,
        sample: async () => {
          await scene.soil();
          return (await scene.ours()).longestRangeMs;
        },
      },
      peer: whole,
    }),
    ask({
      name: 'trim-abort',
      question: 'How long does a trim go on after an abort, and how long is its longest range?',
      gate: 1,
      rounds: 9,
      ours: {
        name: 'abort to end',
        run: async () => true,
        sample: async () => {
          await scene.soil();
          const stop = new AbortController();
          let abortedAt = 0;
          const onProgress = ({ ranges }: { readonly ranges: number }): void => {
            if (ranges !== 4) return;
            // In the middle of the next range.
            setTimeout(() => {
              abortedAt = performance.now();
              stop.abort();
            }, 2);
          };
          await scene.ours({ signal: stop.signal, onProgress }).catch(() => {}); // that is the point
          return performance.now() - abortedAt;
        },
      },
      peer: {
        name: 'the longest range',
        run: async () => true,
        sample: async () => {
          await scene.soil();
          return (await scene.ours()).longestRangeMs;
        },
      },
    }),
    limit({
      name: 'trim-loop-delay',
      question: 'How much does a trim delay the event loop beyond idle?',
      ours: 'p99 delay during a trim − idle',
      budget: budgetMs,
      rounds: 9,
      sample: async () => {
        await scene.soil();
        const started = performance.now();
        const during = await loopDelayMs(ours);
        const length = performance.now() - started;
        const idle = await loopDelayMs(() => new Promise((resolve) => setTimeout(resolve, length)));
        return Math.max(0, during - idle);
      },
    }),
  ];
}

/** XFS gives back less to one whole call than to ranges. */
function givenBack(type: string, scene: TrimScene, gate: number): Question {
  const left = async (work: () => Promise<unknown>): Promise<number> => {
    await scene.soil();
    await work();
    return await scene.usedMib();
  };
  return ask({
    name: `trim-${type}-left`,
    question: `How much of a 2 GiB ${type} with 768 MiB in use takes room below it after a trim?`,
    unit: 'MiB',
    gate,
    rounds: 7,
    ours: { name: 'trim', run: async () => true, sample: () => left(() => scene.ours()) },
    peer: { name: 'fstrim', run: async () => true, sample: () => left(() => scene.peer()) },
  });
}

import { setTimeout as sleep } from 'node:timers/promises';

import { SnapshotScene } from './kvstore/scene.ts';
import type { Cost } from './kvstore/usage.ts';
import { loopDelayMs } from './loop-delay.ts';
import { ask, type Bench, type Question } from './question.ts';

/** By how much a process may grow while it saves a snapshot of any size. */
const memoryBudgetMib = 80;
const delayBudgetMs = 1;
const rounds = 7;

export const bench: Bench = {
  async prepare(stack) {
    const plain = await SnapshotScene.make(stack);
    const secure = await SnapshotScene.make(stack, { tls: true });
    await plain.checkSaves();
    await secure.checkSaves();
    return [
      ...saves(plain, 'plain', { wall: 0.75, cpu: 0.55 }),
      ...saves(secure, 'tls', { wall: 0.9, cpu: 0.8 }),
      memory(plain),
      ...delays(plain),
    ];
  },
};

/** What both find out is compared before the first question. */
const agreed = async (): Promise<boolean> => true;

function saves(scene: SnapshotScene, name: string, gates: { wall: number; cpu: number }): Question[] {
  const by = (what: keyof Cost): Pick<Question, 'ours' | 'peer'> => ({
    ours: { name: 'saveSnapshot', run: agreed, sample: async () => (await scene.costOfSave())[what] },
    peer: {
      name: 'etcdctl snapshot save',
      run: agreed,
      sample: async () => (await scene.costOfEtcdctl())[what],
    },
  });
  return [
    ask({
      name: `kvstore-save-${name}`,
      question: `How long does a snapshot of 250 MB take (${name}), with all its proofs and without any?`,
      gate: gates.wall,
      rounds,
      ...by('wallMs'),
    }),
    ask({
      name: `kvstore-save-${name}-cpu`,
      question: `How much processor time does it take (${name})?`,
      gate: gates.cpu,
      rounds,
      ...by('cpuMs'),
    }),
    ask({
      name: `kvstore-save-${name}-server`,
      question: `How much does it take of the server (${name})?`,
      gate: 1,
      rounds,
      ...by('serverMs'),
    }),
  ];
}

function memory(scene: SnapshotScene): Question {
  return ask({
    name: 'kvstore-save-memory',
    question: `How much does a process grow while it saves 250 MB, against a budget of ${memoryBudgetMib} MiB?`,
    unit: 'MiB',
    gate: 1,
    rounds,
    ours: { name: 'saveSnapshot', run: agreed, sample: async () => (await scene.costOfSave()).memoryMib },
    peer: { name: 'budget', run: agreed, sample: async () => memoryBudgetMib },
  });
}

/** The server is on the same processors, and makes every process wait: what of that is our doing? */
function delays(scene: SnapshotScene): Question[] {
  const beyond = (name: string, what: string, baselineMs: (lengthMs: number) => Promise<number>): Question =>
    ask({
      name,
      question: `How much does a snapshot delay the event loop beyond ${what}, against a budget of ${delayBudgetMs} ms?`,
      gate: 1,
      rounds,
      ours: {
        name: `p99 delay during a snapshot − ${what}`,
        run: agreed,
        sample: async () => {
          const file = await scene.freeName();
          const started = performance.now();
          const during = await loopDelayMs(() => scene.save(file));
          return Math.max(0, during - (await baselineMs(performance.now() - started)));
        },
      },
      peer: { name: 'budget', run: agreed, sample: async () => delayBudgetMs },
    });
  return [
    beyond('kvstore-save-loop-delay', 'idle', (lengthMs) => loopDelayMs(() => sleep(lengthMs))),
    beyond('kvstore-save-loop-delay-beside', 'that of an idle process beside etcdctl', async () => {
      const file = await scene.freeName();
      return await loopDelayMs(() => scene.saveByEtcdctl(file));
    }),
  ];
}

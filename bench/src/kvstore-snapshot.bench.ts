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
    const plain = await SnapshotScene.make(stack, false);
    const secure = await SnapshotScene.make(stack, true);
    await plain.checkSaves();
    await secure.checkSaves();
    return [
      ...saves(plain, 'plain', { wall: 0.75, cpu: 0.55 }),
      ...saves(secure, 'tls', { wall: 0.9, cpu: 0.8 }),
      memory(plain),
      delay(plain),
      ...checks(plain),
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

function delay(scene: SnapshotScene): Question {
  return ask({
    name: 'kvstore-save-loop-delay',
    question: `How much does a snapshot delay the event loop beyond idle, against a budget of ${delayBudgetMs} ms?`,
    gate: 1,
    rounds,
    ours: {
      name: 'p99 delay during a snapshot − idle',
      run: agreed,
      sample: async () => {
        const started = performance.now();
        const during = await loopDelayMs(() => scene.save());
        const lengthMs = performance.now() - started;
        return Math.max(0, during - (await loopDelayMs(() => sleep(lengthMs))));
      },
    },
    peer: { name: 'budget', run: agreed, sample: async () => delayBudgetMs },
  });
}

function checks(scene: SnapshotScene): Question[] {
  const run = { ours: () => scene.judged(), peer: () => scene.judgedByEtcdutl() };
  const by = (what: keyof Cost, isCold = false): Pick<Question, 'ours' | 'peer'> => {
    const after = async (cost: () => Promise<Cost>): Promise<number> => {
      if (isCold) await scene.cool();
      return (await cost())[what];
    };
    return {
      ours: { name: 'verifySnapshot', run: run.ours, sample: () => after(() => scene.costOfVerify()) },
      peer: {
        name: 'etcdutl snapshot status',
        run: run.peer,
        sample: () => after(() => scene.costOfEtcdutl()),
      },
    };
  };
  return [
    ask({
      name: 'kvstore-check-warm',
      question: 'How long does the check of a file of 250 MB take that is in memory?',
      gate: 0.65,
      rounds,
      ...by('wallMs'),
    }),
    ask({
      name: 'kvstore-check-cold',
      question: 'How long does it take when the file has to be read from the disk?',
      gate: 0.15,
      rounds,
      ...by('wallMs', true),
    }),
    ask({
      name: 'kvstore-check-memory',
      question: 'How much memory does the check take: what a process grows by, and what the program has?',
      unit: 'MiB',
      gate: 0.06,
      rounds,
      ...by('memoryMib'),
    }),
  ];
}

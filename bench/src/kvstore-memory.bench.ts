import { deepStrictEqual } from 'node:assert';

import { SnapshotScene } from './kvstore/scene.ts';
import { limit } from './limit.ts';
import { ask, type Bench, type Question } from './question.ts';

/** Peaks hardly differ from one run to the next, and a gigabyte takes its time. */
const rounds = 7;

/** By how much a process may be larger for four times the database: what it remembers of each page. */
const growthBudgetMib = 12;

/** What both find out is compared before the first question. */
const agreed = async (): Promise<boolean> => true;

/** Every process here is a fresh one, and its memory the most that it has had at any time. */
export const bench: Bench = {
  async prepare(stack) {
    const small = await SnapshotScene.make(stack);
    const large = await SnapshotScene.make(stack, { shape: 'gigabyte' });
    for (const scene of [small, large]) {
      await scene.checkSaves();
      deepStrictEqual(await scene.verified(), await scene.judgedByEtcdutl());
    }
    return [
      check('', '250 MB', small, 0.35),
      check('-gigabyte', 'a gigabyte', large, 0.1),
      save('', '250 MB', small),
      save('-gigabyte', 'a gigabyte', large),
      growth('check', 'checks', small, large, (scene) => scene.costOfVerifyAlone()),
      growth('save', 'saves', small, large, (scene) => scene.costOfSaveAlone()),
    ];
  },
};

type Measure = (scene: SnapshotScene) => Promise<{ readonly memoryMib: number }>;

const sampled =
  (scene: SnapshotScene, measure: Measure): (() => Promise<number>) =>
  async () =>
    (await measure(scene)).memoryMib;

function check(suffix: string, size: string, scene: SnapshotScene, gate: number): Question {
  return ask({
    name: `kvstore-memory-check${suffix}`,
    question: `How much memory has a process that checks a snapshot of ${size}?`,
    unit: 'MiB',
    gate,
    rounds,
    ours: { name: 'verifySnapshot', run: agreed, sample: sampled(scene, (one) => one.costOfVerifyAlone()) },
    peer: {
      name: 'etcdutl snapshot status',
      run: agreed,
      sample: sampled(scene, (one) => one.costOfEtcdutl()),
    },
  });
}

/** Node.js alone is as large as all of etcdctl. */
function save(suffix: string, size: string, scene: SnapshotScene): Question {
  return ask({
    name: `kvstore-memory-save${suffix}`,
    question: `How much memory has a process that saves ${size}?`,
    unit: 'MiB',
    gate: 3,
    rounds,
    ours: { name: 'saveSnapshot', run: agreed, sample: sampled(scene, (one) => one.costOfSaveAlone()) },
    peer: {
      name: 'etcdctl snapshot save',
      run: agreed,
      sample: sampled(scene, (one) => one.costOfEtcdctl()),
    },
  });
}

function growth(
  name: string,
  does: string,
  small: SnapshotScene,
  large: SnapshotScene,
  measure: Measure,
): Question {
  return limit({
    name: `kvstore-memory-${name}-growth`,
    question: `How much more memory has a process that ${does} a gigabyte than one that ${does} 250 MB?`,
    ours: 'a gigabyte − 250 MB',
    budget: growthBudgetMib,
    unit: 'MiB',
    rounds,
    sample: async () => Math.max(0, (await measure(large)).memoryMib - (await measure(small)).memoryMib),
  });
}

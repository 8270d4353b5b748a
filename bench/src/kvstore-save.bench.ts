import { setTimeout as sleep } from 'node:timers/promises';

import { SnapshotScene } from './kvstore/scene.ts';
import type { Cost } from './kvstore/usage.ts';
import { limit } from './limit.ts';
import { loopDelayMs } from './loop-delay.ts';
import { ask, type Bench, type Question } from './question.ts';

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

/** On the same processors the server makes every process wait: what is our doing shows apart from it, or beside an idle process. */
function delays(scene: SnapshotScene): Question[] {
  const duringMs = async (): Promise<{ delayMs: number; lengthMs: number }> => {
    const file = await scene.freeName();
    const started = performance.now();
    return { delayMs: await loopDelayMs(() => scene.save(file)), lengthMs: performance.now() - started };
  };
  return [
    limit({
      name: 'kvstore-save-loop-delay',
      question:
        'How much does a snapshot delay the event loop beyond idle, when the member has a processor of its own?',
      ours: 'p99 delay during a snapshot − idle',
      budget: delayBudgetMs,
      rounds,
      sample: () =>
        scene.apart(async () => {
          const { delayMs, lengthMs } = await duringMs();
          return Math.max(0, delayMs - (await loopDelayMs(() => sleep(lengthMs))));
        }),
    }),
    limit({
      name: 'kvstore-save-loop-delay-beside',
      question:
        'How much more does it delay it, beside the member, than etcdctl delays that of an idle process?',
      ours: 'p99 delay during a snapshot − that beside etcdctl',
      budget: delayBudgetMs,
      rounds,
      sample: async () => {
        const { delayMs } = await duringMs();
        const file = await scene.freeName();
        return Math.max(0, delayMs - (await loopDelayMs(() => scene.saveByEtcdctl(file))));
      },
    }),
  ];
}

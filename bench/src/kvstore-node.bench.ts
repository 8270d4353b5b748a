import { NodeScene } from './kvstore/node-scene.ts';
import { limit } from './limit.ts';
import { ask, type Bench, type Question } from './question.ts';

/** By how much an agent may grow while it passes on a snapshot of any size. */
const memoryBudgetMib = 80;
const rounds = 7;

/** What both save is compared before the first question. */
const agreed = async (): Promise<boolean> => true;

function question(rest: Omit<Question, 'rounds'>): Question {
  return ask({ rounds, ...rest });
}

export const bench: Bench = {
  async prepare(stack) {
    const scene = await NodeScene.make(stack);
    await scene.checkSaves();
    const ours = { name: 'osctl kvstore snapshot', run: agreed };
    const peer = { name: 'etcdctl snapshot save', run: agreed };
    return [
      question({
        name: 'kvstore-node-save',
        question:
          'How long does a snapshot of 250 MB take through the agent, proven, and from the member, not proven?',
        gate: 1.1,
        ours: { ...ours, sample: async () => (await scene.costOfOsctl()).wallMs },
        peer: { ...peer, sample: async () => (await scene.costOfEtcdctl()).wallMs },
      }),
      question({
        name: 'kvstore-node-server',
        question: 'How much processor time does it take of the member?',
        gate: 1,
        ours: { ...ours, sample: async () => (await scene.costOfOsctl()).serverMs },
        peer: { ...peer, sample: async () => (await scene.costOfEtcdctl()).serverMs },
      }),
      question({
        name: 'kvstore-node-cpu-user',
        question: 'How much processor time does the user spend?',
        gate: 1.25,
        ours: { ...ours, sample: async () => (await scene.costOfOsctl()).cpuMs },
        peer: { ...peer, sample: async () => (await scene.costOfEtcdctl()).cpuMs },
      }),
      question({
        name: 'kvstore-node-cpu-agent',
        question: 'How much does the agent, against who takes it from the member?',
        gate: 1.1,
        ours: { ...ours, name: 'agent', sample: async () => (await scene.costOfOsctl()).agentMs },
        peer: { ...peer, sample: async () => (await scene.costOfEtcdctl()).cpuMs },
      }),
      limit({
        name: 'kvstore-node-memory',
        question: 'How much does the agent grow meanwhile?',
        ours: 'agent',
        budget: memoryBudgetMib,
        unit: 'MiB',
        rounds,
        sample: async () => (await scene.costOfOsctl()).agentGrowthMib,
      }),
    ];
  },
};

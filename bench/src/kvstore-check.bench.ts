import { SnapshotScene } from './kvstore/scene.ts';
import { type ShapeName, shapes } from './kvstore/shapes.ts';
import type { Cost } from './kvstore/usage.ts';
import { ask, type Bench, type Question, type Side } from './question.ts';

const rounds = 7;

type CheckedShape = Exclude<ShapeName, 'gigabyte'>;

/** By what the file consists of. */
const warmGates: Readonly<Record<CheckedShape, number>> = { small: 0.2, objects: 0.45, large: 0.6 };

export const bench: Bench = {
  async prepare(stack) {
    const scenes = {} as Record<CheckedShape, SnapshotScene>;
    const names = Object.keys(warmGates) as CheckedShape[];
    for (const name of names) scenes[name] = await SnapshotScene.make(stack, { shape: name });
    return [
      ...names.flatMap((name) => warm(name, scenes[name], warmGates[name])),
      ask({
        name: 'kvstore-check-cold',
        question: 'How long does it take when the file (values of 4 kB) has to be read from the disk?',
        gate: 0.1,
        rounds,
        ...sides(scenes.objects, async (cost) => {
          await scenes.objects.cool();
          return (await cost()).wallMs;
        }),
      }),
    ];
  },
};

/**
 * `etcdutl` looks at no SHA-256, which takes longer than all the rest: it is compared with what looks at none either, and
 * with the programs that look at everything where we do.
 */
function warm(name: CheckedShape, scene: SnapshotScene, gate: number): Question[] {
  const { peer } = sides(scene, async (cost) => (await cost()).wallMs);
  const verify = { name: 'verifySnapshot', sample: () => wallOf(scene.costOfVerify()) };
  const shape = shapes[name].title;
  return [
    ask({
      name: `kvstore-check-warm-${name}`,
      question: `How long does the check of a file of 250 MB (${shape}) take that is in memory, its digest left out?`,
      gate,
      rounds,
      ours: {
        name: 'snapshotStatus',
        run: () => scene.judged(),
        sample: () => wallOf(scene.costOfStatus()),
      },
      peer,
    }),
    ask({
      name: `kvstore-check-proofs-${name}`,
      question: `How long does it take (${shape}) with the digest, by both?`,
      gate: 0.65,
      rounds,
      ours: { ...verify, run: () => scene.proven() },
      peer: {
        name: 'etcdutl snapshot status; head | openssl dgst -sha256',
        run: () => scene.provenByPrograms(),
        sample: () => wallOf(scene.costOfPrograms()),
      },
    }),
    ask({
      name: `kvstore-check-hash-${name}`,
      question: `How much longer does it take (${shape}) than the SHA-256 that is part of it, computed alone?`,
      gate: 1.25,
      rounds,
      ours: { ...verify, run: async () => (await scene.proven()).at(-1) },
      peer: { name: 'createHash', run: () => scene.hashAlone(), sample: () => wallOf(scene.costOfHash()) },
    }),
  ];
}

async function wallOf(cost: Promise<Cost>): Promise<number> {
  return (await cost).wallMs;
}

function sides(
  scene: SnapshotScene,
  measure: (cost: () => Promise<Cost>) => Promise<number>,
): { ours: Side<unknown>; peer: Side<unknown> } {
  return {
    ours: {
      name: 'verifySnapshot',
      run: () => scene.verified(),
      sample: () => measure(() => scene.costOfVerify()),
    },
    peer: {
      name: 'etcdutl snapshot status',
      run: () => scene.judgedByEtcdutl(),
      sample: () => measure(() => scene.costOfEtcdutl()),
    },
  };
}

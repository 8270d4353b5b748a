import { ImageFactory } from './image-factory.ts';
import { timeOf } from './image/timed-body.ts';
import {
  type ImageContent,
  type ImageKind,
  imageNames,
  programsOf,
  servedContent,
  UsualPrograms,
} from './image/usual-programs.ts';
import { ask, type Bench } from './question.ts';

export const bench: Bench = {
  async prepare(stack) {
    const factory = await ImageFactory.start(stack);
    const programs = await UsualPrograms.from(factory);
    return (Object.keys(imageNames) as ImageKind[]).map((kind) =>
      ask<ImageContent>({
        name: `image-first-byte-${kind}`,
        question: `How long until the first byte of a ${kind} image that nobody has asked for, served and built with the usual programs?`,
        gate: 0.02,
        rounds: 7,
        ours: {
          name: 'factory: POST /schematics, GET',
          run: async () => await servedContent(factory, kind),
          sample: async () => await timeOf(async () => await factory.another(imageNames[kind]), 'first'),
        },
        peer: {
          name: programsOf[kind],
          run: async () => await programs.builtContent(kind),
          sample: async () => {
            const started = performance.now();
            await programs.build(kind);
            return performance.now() - started;
          },
        },
      }),
    );
  },
};

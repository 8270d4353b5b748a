import { join } from 'node:path';

import { ImageFactory } from './image-factory.ts';
import { servedFile } from './image/served-file.ts';
import { timeOf } from './image/timed-body.ts';
import {
  type ImageContent,
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
    const files = { raw: 'disk.raw', iso: 'boot.iso' } as const;
    return await Promise.all(
      (['raw', 'iso'] as const).map(async (kind) => {
        const path = join(factory.place, files[kind]);
        const get = await servedFile(stack, path);
        return ask<ImageContent>({
          name: `image-total-${kind}`,
          question: `How long until all of a ${kind} image that nobody has asked for is there, served and built with the usual programs, then sent?`,
          gate: 0.5,
          rounds: 7,
          ours: {
            name: 'factory: POST /schematics, GET',
            run: async () => await servedContent(factory, kind),
            sample: async () => await timeOf(async () => await factory.another(imageNames[kind]), 'all'),
          },
          peer: {
            name: `${programsOf[kind]}, node:http`,
            run: async () => await programs.builtContent(kind),
            sample: async () =>
              await timeOf(async () => {
                await programs.build(kind);
                return await get();
              }, 'all'),
          },
        });
      }),
    );
  },
};

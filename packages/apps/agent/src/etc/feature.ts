import { join } from 'node:path';

import { Originals, OwnedFiles } from '@nodecore/host';

import { configured } from '../applied/applied-controller.ts';
import { node } from '../node.ts';
import { kindOf } from '../resources/definitions.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { etcFileSpecs, etcFileStatuses } from './definitions.ts';
import { etcFileController, wantedFiles } from './files.ts';
import { makeEtcWritable } from './writable-etc.ts';

const owner = 'etc';

/** Files below /etc, of documents and of other features. */
export const etc: Feature<undefined> = feature({
  name: 'etc',
  needs: { node },
  writes: [etcFileSpecs, etcFileStatuses],
  make: ({ node: { store, options, runDirectory } }) => {
    const { image, state } = options;
    // What stood there before is kept as long as what we write: in the image both go with the boot.
    const records = image === undefined ? state : runDirectory;
    const files =
      records === undefined
        ? undefined
        : new OwnedFiles('/etc', new Originals(join(records, 'etc-originals.json')));
    return {
      handle: undefined,
      controllers: [
        etcFileController({
          files,
          prepare: async () => {
            if (image !== undefined) await makeEtcWritable(image.run);
          },
        }),
      ],
      configure: ({ configuration }) => {
        store.replace(kindOf(etcFileSpecs), new Map([[configured, wantedFiles(configuration)]]), owner);
      },
    };
  },
});

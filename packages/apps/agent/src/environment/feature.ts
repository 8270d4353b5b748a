import { readFile } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

import { configured } from '../applied/applied-controller.ts';
import { node } from '../node.ts';
import { kindOf } from '../resources/definitions.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { environments, environmentSpecs } from './definitions.ts';
import { environmentController, variablesSpec } from './environment.ts';
import { variablesOf } from './kernel-line.ts';

/** Environment variables of the agent and of the services that it starts. */
export const environment: Feature<undefined> = feature({
  name: 'environment',
  needs: { node },
  writes: [environmentSpecs, environments],
  make: ({ node: { store, log, options } }) => ({
    handle: undefined,
    controllers: [environmentController(process.env)],
    started: async () => {
      if (options.image === undefined) return;
      try {
        const variables = variablesOf(await readFile(options.image.kernelCommandLine, 'utf8'));
        const spec = variablesSpec(variables);
        // Behind it by name is what a document has, which comes first.
        if (variables.size > 0)
          store.replace(kindOf(environmentSpecs), new Map([['cmdline', spec]]), 'kernel-arguments');
      } catch (error) {
        log.error(
          { code: codeOf(error) },
          'os.environment is not used: a name in it can not be that of a variable',
        );
      }
    },
    configure: ({ configuration }) => {
      const { variables = [] } = configuration.get('EnvironmentConfig') ?? {};
      const spec = variablesSpec(variables);
      store.replace(kindOf(environmentSpecs), new Map([[configured, spec]]), 'environment');
    },
  }),
});

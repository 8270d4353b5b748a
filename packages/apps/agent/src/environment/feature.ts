import { configured } from '../applied/applied-controller.ts';
import { node } from '../node.ts';
import { kindOf } from '../resources/definitions.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { environments, environmentSpecs } from './definitions.ts';
import { environmentController } from './environment.ts';

/** Environment variables of the agent and of the services that it starts. */
export const environment: Feature<undefined> = feature({
  name: 'environment',
  needs: { node },
  writes: [environmentSpecs, environments],
  make: ({ node: { store } }) => ({
    handle: undefined,
    controllers: [environmentController(process.env)],
    configure: ({ configuration }) => {
      const { variables = [] } = configuration.get('EnvironmentConfig') ?? {};
      const spec = { variables: Object.fromEntries(variables) };
      store.replace(kindOf(environmentSpecs), new Map([[configured, spec]]), 'environment');
    },
  }),
});

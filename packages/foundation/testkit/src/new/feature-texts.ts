import type { Name } from './name.ts';

/** What the other features and the supervisor see of it. */
export function featureFace({ camel, kebab, words }: Name): string {
  return `import { node } from '../node.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { ${camel}Controller } from './${kebab}-controller.ts';

/** The ${words} of the node. */
export const ${camel}: Feature<undefined> = feature({
  name: '${kebab}',
  needs: { node },
  make: ({ node: { log } }) => ({ handle: undefined, controllers: [${camel}Controller({ log })] }),
});
`;
}

/** What it does: makes its status like what it finds, one item at a time. */
export function featureWork({ camel, kebab, pascal, words }: Name): string {
  return `import { atStart, type Controller } from '@nodecore/runtime';

import type { Log } from '../log.ts';
import { kindOf } from '../resources/definitions.ts';
import { ${camel}Statuses } from './definitions.ts';
import { ${camel}StatusSpec } from './${kebab}-status-spec.ts';

export type ${pascal}Parts = { readonly log: Log };

/** Looks after the ${words} of the node: one item, which has one status. */
export function ${camel}Controller({ log }: ${pascal}Parts): Controller {
  return {
    name: '${kebab}',
    inputs: [],
    outputs: [{ ...kindOf(${camel}Statuses), mode: 'exclusive' }],
    outside: atStart('${kebab}'),
    reconcile: async (id, access) => {
      await access.modify({ ...kindOf(${camel}Statuses), id }, () => ${camel}StatusSpec({ phase: 'ready' }));
      log.debug({ id }, 'the ${words} is as it shall be');
    },
  };
}
`;
}

/** Its controller over a store. */
export function featureTest({ camel, kebab, words }: Name): string {
  return `import { Store } from '@nodecore/state';
import test from 'ava';
import { pino } from 'pino';

import { ${camel}Controller } from '../src/${kebab}/${kebab}-controller.ts';
import { ${camel}Statuses } from '../src/${kebab}/definitions.ts';
import { ${camel} } from '../src/${kebab}/feature.ts';
import { features } from '../src/features.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { runControllers, until } from './controllers.ts';

test('the ${words} has a status as soon as the agent runs', async (t) => {
  t.true(features.includes(${camel}));
  const store = new Store();
  runControllers(t, store, ${camel}Controller({ log: pino({ level: 'silent' }) }));
  const [status] = await until(store, kindOf(${camel}Statuses), ({ length }) => length === 1);
  t.like(status, { metadata: { id: '${kebab}', owner: '${kebab}' }, spec: { phase: 'ready' } });
});
`;
}

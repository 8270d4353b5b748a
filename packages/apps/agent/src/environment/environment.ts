import type { Controller } from '@nodecore/runtime';
import { fieldsOf, type Json } from '@nodecore/state';

import { appliedController } from '../applied/applied-controller.ts';
import { environments, environmentSpecs } from './definitions.ts';

/** A spec of these variables; their names stand alone, too: a table shows no values. */
export function variablesSpec(variables: Iterable<readonly [string, string]>): Json {
  const all = new Map(variables);
  return { variables: Object.fromEntries(all), names: [...all.keys()] };
}

/**
 * Sets variables of this process, which every service that it starts from then on inherits; one that nobody wants any more gets
 * the value from before, or goes. What runs already keeps what it has.
 */
export function environmentController(environment: NodeJS.ProcessEnv): Controller {
  const originals = new Map<string, string | undefined>();
  return appliedController({
    name: 'environment',
    specs: [environmentSpecs],
    statuses: environments,
    apply: (specs) => {
      const wanted = new Map(
        specs.flatMap(({ spec }) => Object.entries(fieldsOf(fieldsOf(spec)['variables'] ?? null))),
      );
      for (const [name, original] of originals) {
        if (wanted.has(name)) continue;
        if (original === undefined) delete environment[name];
        else environment[name] = original;
        originals.delete(name);
      }
      const statuses = new Map<string, Json>();
      for (const [name, value] of wanted) {
        if (typeof value !== 'string') continue;
        if (!originals.has(name)) originals.set(name, environment[name]);
        environment[name] = value;
        statuses.set(name, { value });
      }
      return Promise.resolve({ statuses });
    },
  });
}

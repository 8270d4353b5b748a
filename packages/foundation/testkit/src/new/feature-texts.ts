import type { Name } from './name.ts';

/** What the other features and the supervisor see of it. */
export function featureFace({ camel, kebab, pascal, words }: Name): string {
  return `import { node } from '../node.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { ${pascal} } from './${kebab}.ts';

/** The ${words} of the node. */
export const ${camel}: Feature<${pascal}> = feature({
  name: '${kebab}',
  needs: { node },
  make: ({ node: { log } }) => {
    const handle = new ${pascal}(log);
    return { handle, run: (signal) => handle.run(signal) };
  },
});
`;
}

/** What it does. */
export function featureWork({ pascal, words }: Name): string {
  return `import { aborted } from '@nodecore/waiting';

import type { Log } from '../log.ts';

/** Looks after the ${words} of the node. */
export class ${pascal} {
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Works until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    this.#log.debug('the ${words} is looked after');
    await aborted(signal);
  }
}
`;
}

/** Its life under the supervisor. */
export function featureTest({ camel, kebab, words }: Name): string {
  return `import test from 'ava';
import { pino } from 'pino';

import { ${camel} } from '../src/${kebab}/feature.ts';
import { features } from '../src/features.ts';

test('the ${words} is looked after until the agent ends', async (t) => {
  t.true(features.includes(${camel}));
  const stop = new AbortController();
  const { run } = ${camel}.make(() => ({ log: pino({ level: 'silent' }) }));
  const running = run?.(stop.signal);
  stop.abort();
  await t.notThrowsAsync(running ?? Promise.reject(new Error('it does not run')));
});
`;
}

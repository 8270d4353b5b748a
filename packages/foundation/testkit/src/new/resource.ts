import { existsSync } from 'node:fs';

import type { Changes } from './change.ts';
import { NewError } from './errors.ts';
import type { Name } from './name.ts';
import { withImport } from './with-import.ts';

const agent = 'packages/apps/agent';

/** A type of resource that a feature of the agent writes: its spec, its definition, and a test that they fit. */
export async function newResource(changes: Changes, name: Name, featureName: string): Promise<void> {
  const folder = `${agent}/src/${featureName}`;
  const face = `${folder}/feature.ts`;
  if (!/^[a-z-]+$/u.test(featureName) || !(await has(changes, face)))
    throw new NewError(
      'ERR_NEW_NAME',
      `the agent has no feature ${featureName}; ${agent}/src/features.ts lists them`,
    );
  const { kebab } = name;
  const many = pluralOf(name);
  changes.create(`${folder}/${kebab}-spec.ts`, specOf(name));
  changes.create(`${agent}/test/${kebab}-spec.test.ts`, testOf(name, featureName));
  const definitions = `${folder}/definitions.ts`;
  if (await has(changes, definitions))
    await changes.edit(definitions, (text) => `${text.trimEnd()}\n\n${definitionOf(name)}`);
  else
    changes.create(
      definitions,
      `import type { ResourceDefinition } from '@nodecore/api';\n\n${definitionOf(name)}`,
    );
  await changes.edit(face, (text) =>
    text.includes('  writes: [')
      ? text.replace('  writes: [', `$&${many.camel}, `)
      : text.replace(/^ {2}make: /mu, `  writes: [${many.camel}],\n$&`),
  );
  await changes.edit(face, (text) => withImport(text, many.camel, './definitions.ts'));
}

async function has(changes: Changes, path: string): Promise<boolean> {
  return existsSync(changes.path(path)) || changes.all.some((change) => change.path === path);
}

/** `clockStates` and `ClockStates` of `clock-state`. */
function pluralOf({ camel, pascal }: Name): Pick<Name, 'camel' | 'pascal'> {
  return { camel: plural(camel), pascal: plural(pascal) };
}

function plural(word: string): string {
  if (/(?:s|x|z|ch|sh)$/u.test(word)) return `${word}es`;
  return /[^aeiou]y$/u.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}

function definitionOf(name: Name): string {
  const many = pluralOf(name);
  return `export const ${many.camel}: ResourceDefinition = {
  type: '${many.pascal}.runtime.nodecore.dev',
  displayType: '${name.pascal}',
  description: 'The ${name.words} of the node.',
  defaultNamespace: 'runtime',
  aliases: [],
  printColumns: [
    { name: 'Phase', jsonPath: '$.phase' },
    { name: 'Reason', jsonPath: '$.reason' },
  ],
  sensitive: false,
};
`;
}

function specOf({ camel, pascal, words }: Name): string {
  return `import type { Json } from '@nodecore/state';

/** The ${words}, as features see it. */
export type ${pascal} = { readonly phase: 'waiting' | 'ready'; readonly reason?: string };

/** The ${words}, as users see it. */
export function ${camel}Spec({ phase, reason }: ${pascal}): { readonly [key: string]: Json } {
  return { phase, ...(reason !== undefined && { reason }) };
}
`;
}

function testOf(name: Name, featureName: string): string {
  const { camel, kebab, words } = name;
  const many = pluralOf(name);
  return `import test from 'ava';

import { definitions } from '../src/features.ts';
import { ${many.camel} } from '../src/${featureName}/definitions.ts';
import { ${camel}Spec } from '../src/${featureName}/${kebab}-spec.ts';

test('every column of a ${words} is a field of its spec', (t) => {
  t.true(definitions.includes(${many.camel}));
  const spec = ${camel}Spec({ phase: 'waiting', reason: 'nothing was decided yet' });
  for (const { name, jsonPath } of ${many.camel}.printColumns)
    t.true(Object.hasOwn(spec, jsonPath.replace(/^\\$\\.(\\w+).*$/u, '$1')), name);
  t.deepEqual(${camel}Spec({ phase: 'ready' }), { phase: 'ready' });
});
`;
}

import { OsconfigError } from '@nodecore/api';

import { confirm, print, printFound, readFormat } from '@nodecore/cli';
import { edit, load, type ConfigOptions } from './file.ts';

export type RemoveFlags = { readonly yes?: boolean; readonly dryRun?: boolean; readonly output: string };

/** What became of a context, as -o json and yaml show it. */
type Outcome = { readonly context: string; readonly state: 'current' | 'planned' | 'kept' | 'removed' };

/** Removes the contexts that a pattern matches, each after a question. The current context stays. */
export async function removeContexts(
  options: ConfigOptions,
  pattern: string,
  flags: RemoveFlags,
): Promise<void> {
  const { terminal } = options;
  const format = await readFormat(flags.output);
  const { osconfig } = await load(options);
  const matches = osconfig.names.filter((name) => matchesGlob(pattern, name));
  if (matches.length === 0) {
    const message = `no context matches "${pattern}" in ${osconfig.path}; see osctl config contexts`;
    throw new OsconfigError('ERR_OSCONFIG_CONTEXT', osconfig.path, message);
  }
  const outcomes: Outcome[] = [];
  for (const context of matches) outcomes.push({ context, state: await decide(context) });
  const chosen = outcomes.filter(({ state }) => state === 'removed');
  if (chosen.length > 0)
    await edit(options, (loaded) => {
      for (const { context } of chosen) loaded.osconfig.remove(context);
    });
  for (const { context } of chosen) await print(terminal.error, `removed context "${context}"\n`);
  const planned = outcomes.filter(({ state }) => state === 'planned');
  await printFound(terminal, format, outcomes, {
    single: false,
    text: () => planned.map(({ context }) => `would remove context "${context}"\n`).join(''),
  });

  async function decide(context: string): Promise<Outcome['state']> {
    if (context === osconfig.current) {
      await print(terminal.error, `context "${context}" is current and stays\n`);
      return 'current';
    }
    if (flags.dryRun === true) return 'planned';
    return flags.yes === true || (await confirm(terminal, `remove context "${context}"?`))
      ? 'removed'
      : 'kept';
  }
}

function matchesGlob(pattern: string, name: string): boolean {
  const expression = pattern
    .replaceAll(/[.+^${}()|[\]\\]/gu, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${expression}$`, 'su').test(name);
}

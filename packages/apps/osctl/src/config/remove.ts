import { OsconfigError } from '@nodecore/api';

import { confirm, print } from '@nodecore/cli';
import { edit, load, type ConfigOptions } from './file.ts';

export type RemoveFlags = { readonly yes?: boolean; readonly dryRun?: boolean };

/** Removes the contexts that a pattern matches, each after a question. The current context stays. */
export async function removeContexts(
  options: ConfigOptions,
  pattern: string,
  flags: RemoveFlags,
): Promise<void> {
  const { terminal } = options;
  const { osconfig } = await load(options);
  const matches = osconfig.names.filter((name) => matchesGlob(pattern, name));
  if (matches.length === 0) {
    const message = `no context matches "${pattern}" in ${osconfig.path}; see osctl config contexts`;
    throw new OsconfigError('ERR_OSCONFIG_CONTEXT', osconfig.path, message);
  }
  const chosen: string[] = [];
  for (const name of matches) {
    if (name === osconfig.current) await print(terminal.error, `context "${name}" is current and stays\n`);
    else if (flags.dryRun === true) await print(terminal.out, `would remove context "${name}"\n`);
    else if (flags.yes === true || (await confirm(terminal, `remove context "${name}"?`))) chosen.push(name);
  }
  if (chosen.length === 0) return;
  await edit(options, (loaded) => {
    for (const name of chosen) loaded.osconfig.remove(name);
  });
  for (const name of chosen) await print(terminal.error, `removed context "${name}"\n`);
}

function matchesGlob(pattern: string, name: string): boolean {
  const expression = pattern
    .replaceAll(/[.+^${}()|[\]\\]/gu, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${expression}$`, 'su').test(name);
}

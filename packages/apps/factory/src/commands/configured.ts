import { readNamedText, repeatable, type Terminal } from '@nodecore/cli';
import type { Option } from 'commander';

import type { Authentication } from '../authentication.ts';

/** `--config`, for commands that know callers. */
export function configOption(): Option {
  return repeatable(
    '--config <file>',
    'configuration in YAML (authentication.…); repeat it, a later one counts before an earlier one',
  );
}

/** Of the files, and of the environment; undefined while authentication is off. */
export async function readConfigurationFiles(
  files: readonly string[],
  { env }: Terminal,
): Promise<Authentication | undefined> {
  const { readConfiguration } = await import('../configuration.ts');
  const texts = [];
  for (const name of files) texts.push({ name, text: await readNamedText(name, 'FILE') });
  return readConfiguration(texts, env);
}

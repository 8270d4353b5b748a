import { readNamedText, repeatable, type Terminal } from '@nodecore/cli';
import type { Option } from 'commander';

import type { Configuration } from '../configuration.ts';

/** `--config`. */
export function configOption(): Option {
  return repeatable(
    '--config <file>',
    'configuration in YAML (authentication.…, http.…, storage.…); repeat it, a later one counts before an earlier one, and flags before all',
  );
}

/** Of the files, and of the environment. */
export async function readConfigurationFiles(
  files: readonly string[],
  { env }: Terminal,
): Promise<Configuration> {
  const { readConfiguration } = await import('../configuration.ts');
  const texts = [];
  for (const name of files) texts.push({ name, text: await readNamedText(name, 'FILE') });
  return readConfiguration(texts, env);
}

import { kernelArgument } from '@nodecore/config/kernel-arguments';
import { parse } from '@nodecore/config';

import { kernelArgumentValues } from '../image/kernel-arguments.ts';

/**
 * Variables that the kernel's command line sets, `os.environment=NAME=value`, as often as it has it; of a name that comes twice the
 * last value. They may be what an `EnvironmentConfig` may have, and what that has comes before them.
 *
 * @throws {ConfigError} for a name that no variable can have, or that would change the programs of the node.
 */
export function variablesOf(line: string): ReadonlyMap<string, string> {
  const given = kernelArgumentValues(line, kernelArgument.environment).map((value): [string, string] => {
    const end = value.indexOf('=');
    return end < 0 ? [value, ''] : [value.slice(0, end), value.slice(end + 1)];
  });
  if (given.length === 0) return new Map();
  const variables = Object.fromEntries(given);
  const text = JSON.stringify({ apiVersion: 'v1alpha1', kind: 'EnvironmentConfig', variables });
  parse(text, { file: kernelArgument.environment })[Symbol.dispose]();
  return new Map(given);
}

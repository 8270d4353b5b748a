import { checkMode, type Configuration } from '@nodecore/config';

import { ApplyError } from './errors.ts';

/**
 * Refuses what a container can't have: it has no disks.
 *
 * @throws {ApplyError} `ERR_APPLY_REFUSED` with every such document.
 */
export function checkContainer(configuration: Configuration): void {
  const { problems } = checkMode(configuration, 'container');
  const [first] = problems;
  if (first === undefined) return;
  const more = problems.length === 1 ? '' : ` and ${problems.length - 1} more`;
  throw new ApplyError('ERR_APPLY_REFUSED', `${first.document}: ${first.message}${more}`, problems);
}

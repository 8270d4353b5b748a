import { type Configuration, documentOf, type Problem } from '@nodecore/config';

import { ApplyError } from './errors.ts';

/**
 * Refuses directories that a host shares (virtiofs) on a node whose kernel enforces labels of files: what the host shares has none,
 * so that programs would be kept from all of it.
 *
 * @param enforced by which mandatory access control; undefined: by none.
 * @throws {ApplyError} `ERR_APPLY_REFUSED` with every such document.
 */
export function checkAccessControl(configuration: Configuration, enforced: string | undefined): void {
  if (enforced === undefined) return;
  const problems = configuration.all('ExternalVolumeConfig').map((volume): Problem => {
    const document = documentOf(volume);
    const origin = configuration.origin(document, 'filesystemType');
    const { line, column } = origin.from === 'document' ? origin : { line: 0, column: 0 };
    const message = `${enforced} is enforced on this node, and what the host shares has no labels of it`;
    return { code: 'volume.access_control', document, path: 'filesystemType', message, line, column };
  });
  const [first] = problems;
  if (first === undefined) return;
  const more = problems.length === 1 ? '' : ` and ${problems.length - 1} more`;
  throw new ApplyError('ERR_APPLY_REFUSED', `${first.document}: ${first.message}${more}`, problems);
}

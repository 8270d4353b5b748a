import { isMap, type Node } from 'yaml';

import { type Problems } from '../problems.ts';
import { rootIdentity } from '../source.ts';
import { isNull, pairOf } from './nodes.ts';
import { type PatchContent } from './read-patch.ts';

const path = ['machine', 'install', 'disk'] as const;
const message =
  'a patch does not choose the disk of an installation: an UnattendedInstallConfig does, with provisioning.diskSelector';

/**
 * Reports a patch that would choose the disk of an installation by the field of the root. It would go to many machines, and the disk
 * of that name is another one on each.
 */
export function checkInstallDisk(content: PatchContent, problems: Problems): void {
  if (content.kind === 'merge') {
    for (const { identity, map } of content.documents) {
      const disk = identity === rootIdentity ? wanted(map, path) : undefined;
      if (disk === undefined) continue;
      const offset = disk.range?.[0] ?? 0;
      problems.add({ code: 'patch.install_disk', message, path, document: identity, offset });
    }
    return;
  }
  for (const operation of content.operations) {
    const { op } = operation;
    if (op === 'remove' || op === 'test') continue;
    const isOnWay = operation.path.every((step, index) => path[index] === step);
    if (!isOnWay) continue;
    const rest = path.slice(operation.path.length);
    const isSet = 'value' in operation ? wanted(operation.value, rest) !== undefined : rest.length === 0;
    if (isSet) operation.at.problemAt('path', 'patch.install_disk', message);
  }
}

/** The value that would stand at a path; clearing one is no choice. */
function wanted(value: unknown, [step, ...rest]: readonly string[]): Node | undefined {
  if (step !== undefined) return isMap(value) ? wanted(pairOf(value, step)?.value, rest) : undefined;
  const isCleared =
    value === undefined ||
    value === null ||
    isNull(value) ||
    (isMap(value) && value.get('$patch') === 'delete');
  return isCleared ? undefined : (value as Node);
}

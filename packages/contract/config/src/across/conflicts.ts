import { Place } from '../place.ts';
import { type Problems } from '../problems.ts';
import { type SourceDocument } from '../source.ts';

/** Kinds that mount at `/var/mnt/<name>`. */
const mounting: ReadonlySet<string> = new Set([
  'UserVolumeConfig',
  'ExistingVolumeConfig',
  'ExternalVolumeConfig',
]);

/** Reports documents that can't stand beside each other: the same one twice, or two that claim one mount path. */
export function checkConflicts(documents: readonly SourceDocument[], problems: Problems): void {
  const identities = new Set<string>();
  const mountPaths = new Map<string, string>();
  for (const document of documents) {
    const root = (): Place => Place.root(document.map, document.identity, problems);
    if (identities.has(document.identity)) {
      root().problem('document.duplicate', `${document.identity} is given twice`);
      continue;
    }
    identities.add(document.identity);
    const path = mountPath(document);
    if (path === undefined) continue;
    const owner = mountPaths.get(path);
    if (owner === undefined) mountPaths.set(path, document.identity);
    else root().problemAt('name', 'mount_path.clash', `${path} is already the place of ${owner}`);
  }
}

function mountPath({ kind, name }: SourceDocument): string | undefined {
  return mounting.has(kind) && name !== undefined ? `/var/mnt/${name}` : undefined;
}

import { Place } from '../place.ts';
import { type Problems } from '../problems.ts';
import { rootIdentity, type SourceDocument } from '../source.ts';

/** Reports volumes of the kvstore that no document makes. */
export function checkKvstoreVolumes(documents: readonly SourceDocument[], problems: Problems): void {
  const root = documents.find(({ identity }) => identity === rootIdentity);
  if (root === undefined) return;
  const block = Place.root(root.map, root.identity, problems).get('cluster')?.get('kvstore');
  for (const field of [block?.get('volume'), block?.get('snapshots')?.get('volume')]) {
    const name = field?.text();
    if (field === undefined || name === undefined) continue;
    if (documents.some((document) => document.kind === 'UserVolumeConfig' && document.name === name))
      continue;
    field.problem('kvstore.volume', 'no UserVolumeConfig has this name; add one or leave the field out');
  }
}

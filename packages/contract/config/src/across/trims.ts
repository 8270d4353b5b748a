import { parseDuration } from '../duration.ts';
import { descriptionOf } from '../kind/kinds.ts';
import { Place } from '../place.ts';
import { type Problems } from '../problems.ts';
import { type SourceDocument } from '../source.ts';

/** Warns of volumes that ask for trims and are told by nobody how often. */
export function checkTrims(
  documents: readonly Pick<SourceDocument, 'kind' | 'identity' | 'map'>[],
  problems: Problems,
): void {
  const global = documents.find(({ kind }) => kind === 'FilesystemTrimConfig');
  const interval = global && Place.root(global.map, global.identity, problems).get('interval')?.text();
  if (global !== undefined && (interval === undefined || parseDuration(interval) !== 0n)) return;
  for (const { kind, map, identity } of documents) {
    if (descriptionOf(kind)?.options.fields['trim'] === undefined) continue;
    const block = Place.root(map, identity, problems).get('trim');
    if (block?.get('enabled')?.boolean() === true && block.get('interval') === undefined)
      block
        .get('enabled')
        ?.warning('trim.interval_missing', 'no interval, here or for all: trimmed once a week');
  }
}

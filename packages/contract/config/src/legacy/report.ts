import { descriptionOf } from '../kind/kinds.ts';
import { Place } from '../place.ts';
import { type Problems } from '../problems.ts';
import { rootIdentity, type SourceDocument } from '../source.ts';
import { type MoveOutcome } from './resolve.ts';

const keeps = 'this version of the node checks and keeps it, and does not act on it';

/** Says of fields of the root that documents have replaced what becomes of them: once for each, at its place. */
export function reportOutcomes(
  { map }: SourceDocument,
  outcomes: readonly MoveOutcome[],
  problems: Problems,
): void {
  const root = Place.root(map, rootIdentity, problems);
  for (const { move, present, parts, why, isConflict } of outcomes) {
    const kinds = [...new Set(parts.length === 0 ? move.into : parts.map(({ kind }) => kind))];
    for (const path of present) {
      const place = root.find(path.split('.'));
      if (place === undefined) continue;
      if (isConflict && !problems.has('root.replaced', place.offset))
        place.problem(
          'root.replaced',
          `${kinds.join(', ')} says the same: remove this field or that document`,
        );
      if (move.quiet === true) continue;
      if (why !== undefined) place.warning('kind.no_effect', `has no effect: ${why}`);
      else if (kinds.some((kind) => descriptionOf(kind)?.options.awaits !== undefined))
        place.warning('kind.no_effect', `${keeps}; ${takes(kinds)}`);
      else place.warning('root.deprecated', takes(kinds));
    }
  }
}

function takes(kinds: readonly string[]): string {
  const [one = '', ...more] = kinds;
  return more.length === 0
    ? `${one} takes its place: osctl machineconfig migrate moves it there`
    : `${kinds.join(', ')} take its place: osctl machineconfig migrate moves it there`;
}

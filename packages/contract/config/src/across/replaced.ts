import { descriptionOf } from '../kind/kinds.ts';
import { valueAt } from '../migrate/fields.ts';
import { Place } from '../place.ts';
import { type Problems } from '../problems.ts';
import { rootIdentity, type SourceDocument } from '../source.ts';

/**
 * Reports fields of the root document that a document beside it says, too: nobody could tell which of them counts. Which these are,
 * the descriptions say (`replaces`).
 */
export function checkReplaced(documents: readonly SourceDocument[], problems: Problems): void {
  const root = documents.find(({ identity }) => identity === rootIdentity);
  if (root === undefined) return;
  const at = Place.root(root.map, root.identity, problems);
  for (const kind of new Set(documents.map((one) => one.kind))) {
    for (const replaced of descriptionOf(kind)?.options.replaces ?? []) {
      const { path, beside } =
        typeof replaced === 'string' ? { path: replaced, beside: undefined } : replaced;
      const says = documents.some(
        (one) => one.kind === kind && (beside === undefined || valueAt(one.map, beside) !== undefined),
      );
      if (!says) continue;
      at.find(path.split('.'))?.problem(
        'root.replaced',
        `${kind} says the same: remove this field or that document`,
      );
    }
  }
}

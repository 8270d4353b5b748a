import { ConfigError } from '../errors.ts';
import { redactBoth } from '../redact.ts';
import { readSource, type SourceDocument } from '../source.ts';
import { keepLargeNumbers } from './large-numbers.ts';
import { mergeBetween } from './merge-between.ts';
import { isEqual } from './nodes.ts';
import { operationsBetween } from './operations-between.ts';
import { orderedDocuments } from './ordered-documents.ts';
import { patchConfiguration } from './patch.ts';

export type BetweenOptions = {
  /** Secrets are hidden, and one that changed says so: for showing. */
  readonly hidden?: boolean;
};

/**
 * The patch that makes one configuration of another; empty when nothing is different but comments, layout and order. It is made of
 * documents to merge or, where no such patch says it, of operations (RFC 6902), and was tried before it is returned.
 *
 * @returns text with the secrets of `after` that are new or changed, unless they are hidden.
 * @throws {ConfigError} when a text can't be read, or, to hide its secrets, is not valid.
 */
export function patchBetween(before: string, after: string, { hidden = false }: BetweenOptions = {}): string {
  const texts = hidden ? redactBoth(before, after) : { before, after };
  const [old, current] = [documentsOf(texts.before), documentsOf(texts.after)];
  if (isSame(old, current)) return '';
  for (const make of [mergeBetween, operationsBetween]) {
    const patch = make(old, current);
    if (patch !== undefined && leadsTo(texts.before, patch, current)) return patch;
  }
  throw new ConfigError('ERR_CONFIG_INVALID', 'no single patch makes the one of the other');
}

function documentsOf(text: string): readonly SourceDocument[] {
  const { documents, problems } = readSource(text, undefined);
  problems.throwIfAny();
  for (const { yaml } of documents) keepLargeNumbers(yaml); // as a patched text has them
  return documents;
}

/** Whether two texts mean the same: their documents are equal, and those whose order counts are in the same order. */
function isSame(one: readonly SourceDocument[], other: readonly SourceDocument[]): boolean {
  const found = new Map(other.map((document) => [document.identity, document]));
  return (
    one.length === other.length &&
    one.every(({ identity, map }) => isEqual(map, found.get(identity)?.map)) &&
    orderedDocuments(one).join('\n') === orderedDocuments(other).join('\n')
  );
}

function leadsTo(before: string, patch: string, after: readonly SourceDocument[]): boolean {
  try {
    return isSame(documentsOf(patchConfiguration(before, [{ text: patch }])), after);
  } catch {
    return false; // it does not apply
  }
}

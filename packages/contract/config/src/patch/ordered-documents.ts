import { type SourceDocument } from '../source.ts';

/** The documents that count in the order of the text: authorizers are asked in it. */
export function orderedDocuments(documents: readonly SourceDocument[]): readonly string[] {
  return documents.filter(({ kind }) => kind === 'OrchAuthorizerConfig').map(({ identity }) => identity);
}

import { visit } from 'yaml';

import { type SourceDocument } from '../source.ts';

/** The lines of all comments. */
export function commentLines(documents: readonly SourceDocument[]): readonly string[] {
  const found: string[] = [];
  const add = (comment: string | null | undefined): void => {
    for (const line of (comment ?? '').split('\n')) if (line.trim() !== '') found.push(line.trim());
  };
  for (const { yaml } of documents) {
    add(yaml.commentBefore);
    visit(yaml, {
      Node: (_key, node) => {
        add(node.commentBefore);
        add(node.comment);
      },
    });
    add(yaml.comment);
  }
  return found;
}

/** Those of `before` that `after` does not have, as often as they are missing. */
export function lostComments(
  before: readonly SourceDocument[],
  after: readonly SourceDocument[],
): readonly string[] {
  const left = commentLines(after).slice();
  return commentLines(before).filter((line) => {
    const at = left.indexOf(line);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

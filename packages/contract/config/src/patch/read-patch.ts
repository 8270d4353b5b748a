import { isMap, isSeq, type Node, type Document as YamlDocument, type YAMLMap } from 'yaml';

import { type Problems } from '../problems.ts';
import { compose, identityOf, isEmpty, reportSyntax, textOf } from '../source.ts';
import { checkTree } from '../tree.ts';
import { type Operation, readOperations } from './operation.ts';

/** One document of a merge patch. */
export type MergeDocument = { readonly map: YAMLMap; readonly identity: string };

export type PatchContent =
  | { readonly kind: 'merge'; readonly documents: readonly MergeDocument[] }
  | { readonly kind: 'operations'; readonly operations: readonly Operation[] };

/** Reads a patch of either kind; what it is, its form says. */
export function readPatch(text: string, file: string): { content: PatchContent; problems: Problems } {
  const { documents, problems } = compose(text, file);
  const given = documents.filter((document) => !isEmpty(document) || document.errors.length > 0);
  if (given.length === 0 && problems.count === 0) {
    problems.add({ code: 'patch.empty', message: 'the patch is empty', path: [], document: '', offset: 0 });
  }
  const [only, ...others] = given;
  if (only !== undefined && others.length === 0 && isSeq(only.contents)) {
    check(only, only.contents, '', problems);
    const operations = problems.count === 0 ? readOperations(only.contents, problems) : [];
    return { content: { kind: 'operations', operations }, problems };
  }
  return {
    content: { kind: 'merge', documents: given.flatMap((document) => readMerge(document, problems) ?? []) },
    problems,
  };
}

function readMerge(document: YamlDocument, problems: Problems): MergeDocument | undefined {
  const { contents } = document;
  const map = isMap(contents) ? contents : undefined;
  const identity = identityOf(textOf(map, 'kind') ?? '', textOf(map, 'name'));
  const before = problems.count;
  check(document, contents ?? undefined, identity, problems);
  if (map === undefined && problems.count === before) {
    const message = 'a patch is a mapping of fields, or a list of operations (RFC 6902)';
    problems.add({ code: 'wrong_type', message, path: [], document: '', offset: contents?.range?.[0] ?? 0 });
  }
  return map === undefined ? undefined : { map, identity };
}

function check(
  document: YamlDocument,
  contents: Node | undefined,
  identity: string,
  problems: Problems,
): void {
  const before = problems.count;
  reportSyntax(document, identity, problems);
  if (contents !== undefined && problems.count === before) checkTree(contents, identity, problems, true);
}

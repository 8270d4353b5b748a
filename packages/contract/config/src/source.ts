import {
  Composer,
  isMap,
  isScalar,
  LineCounter,
  Parser,
  type Document as YamlDocument,
  type YAMLMap,
} from 'yaml';
import { yamlDepth } from '@nodecore/sys/pure';

import { detached } from './detached.ts';
import { isName } from './document-name.ts';
import { kinds } from './kind/kinds.ts';
import { openQuote } from './open-quote.ts';
import { Problems } from './problems.ts';
import { syntaxMessage } from './syntax-message.ts';
import { checkTree, isMarked } from './tree.ts';
import { coreSchema } from './yaml-schema.ts';

/** Far above any real configuration, far below what makes a parser slow. */
const largestText = 1 << 19;
const deepestNesting = 64;
/** Of one document: what is behind the first hundred follows from them. */
const maxSyntaxErrors = 100;

/** Names of described documents are also addresses and paths. */
const wideName = /^[!-~]{1,253}$/u;

function hasWideNames(kind: string): boolean {
  return kinds.get(kind)?.options.shortNames !== true && kinds.has(kind);
}

/** One document of a multi-document text, before anything is known about its fields. */
export type SourceDocument = {
  /** With its comments, for writing it again. */
  readonly yaml: YamlDocument;
  readonly map: YAMLMap;
  /** Kind as written; `''` for the root document, which has a version in its place. */
  readonly kind: string;
  readonly name: string | undefined;
  /** `kind/name`, `kind`, or `machine` for the root document. */
  readonly identity: string;
  /** Offset of its first field. */
  readonly offset: number;
};

export type Source = { readonly documents: readonly SourceDocument[]; readonly problems: Problems };

/** Identity of the root document, the only one without a kind. */
export const rootIdentity = 'machine';

/** YAML documents whose syntax may be broken. */
export type Composed = { readonly documents: readonly YamlDocument[]; readonly problems: Problems };

/** The documents of a text, or the problem that it is too large to be read. */
export function compose(text: string, file: string | undefined): Composed {
  const lines = new LineCounter();
  const problems = new Problems(text, lines, file);
  const tooLarge = (message: string): Composed => {
    problems.add({ code: 'yaml.too_large', message, path: [], document: '', offset: 0 });
    return { documents: [], problems };
  };
  if (text.length > largestText) return tooLarge(`longer than ${largestText} characters`);
  // Duplicate keys are found by our own walk, which knows their path.
  const composer = new Composer({ uniqueKeys: false, schema: coreSchema() });
  const documents: YamlDocument[] = [];
  const environment = process.env;
  // The parser asks at every token whether the environment wants it printed, and each question goes to the C library: a seventh of
  // the time that all takes. Nothing else runs before it is put back.
  process.env = {};
  try {
    for (const token of new Parser(lines.addNewLine).parse(text)) {
      // Composing recurses and reports one error per level, so the depth is bounded before.
      if (yamlDepth([token]) > deepestNesting) return tooLarge(`nested deeper than ${deepestNesting} levels`);
      documents.push(...composer.next(token));
    }
    documents.push(...composer.end(false, text.length));
  } finally {
    process.env = environment;
  }
  return { documents, problems };
}

/**
 * Splits a text into documents. Documents with broken syntax or constructs we refuse (anchors, tags, duplicate keys)
 * are reported and left out, the others are still checked.
 */
export function readSource(text: string, file: string | undefined): Source {
  const { documents, problems } = compose(text, file);
  const marked = isMarked(text);
  return {
    documents: documents.flatMap((document) => readDocument(document, problems, marked) ?? []),
    problems,
  };
}

function readDocument(
  document: YamlDocument,
  problems: Problems,
  marked: boolean,
): SourceDocument | undefined {
  const { contents } = document;
  const offset = contents?.range?.[0] ?? 0;
  const map = isMap(contents) ? contents : undefined;
  const kind = textOf(map, 'kind') ?? '';
  const name = textOf(map, 'name');
  const identity = identityOf(kind, name);
  const before = problems.count;
  reportSyntax(document, identity, problems);
  if (document.directives?.yaml.explicit === true) {
    const message = 'YAML directives are not accepted: documents are YAML 1.2';
    problems.add({ code: 'yaml.directive', message, path: [], document: identity, offset });
  }
  if (map === undefined) {
    if (!isEmpty(document) && problems.count === before) {
      const message = 'a document is a mapping of fields';
      problems.add({ code: 'wrong_type', message, path: [], document: '', offset });
    }
    return undefined;
  }
  if (problems.count === before) checkTree(map, identity, problems, marked);
  return problems.count === before ? { yaml: document, map, kind, name, identity, offset } : undefined;
}

/** Nothing but comments. */
export function isEmpty({ contents }: YamlDocument): boolean {
  return contents === null || (isScalar(contents) && contents.value === null && contents.source === '');
}

/** Reports what the YAML parser found. */
export function reportSyntax(document: YamlDocument, identity: string, problems: Problems): void {
  for (const error of document.errors.slice(0, maxSyntaxErrors)) {
    const message = syntaxMessage(error.code);
    problems.add({ code: 'yaml.syntax', message, path: [], document: identity, offset: error.pos[0] });
  }
  const open = openQuote(document, problems.text);
  if (open !== undefined) {
    const message = 'the quotes that begin here are never closed';
    problems.add({
      code: 'yaml.syntax',
      message,
      path: [],
      document: identity,
      offset: open.range?.[0] ?? 0,
    });
  }
}

/** `kind/name`, `kind`, or `machine` for a document without a kind. */
export function identityOf(kind: string, name: string | undefined): string {
  if (kind === '') return rootIdentity;
  if (!/^[A-Za-z]{1,64}$/u.test(kind) && !kinds.has(kind)) return 'unknown';
  const isShown = name !== undefined && (isName(name) || (hasWideNames(kind) && wideName.test(name)));
  return isShown ? `${kind}/${name}` : kind;
}

/** A field that is a text. */
export function textOf(map: YAMLMap | undefined, key: string): string | undefined {
  for (const { key: node, value } of map?.items ?? [])
    if (isScalar(node) && node.value === key)
      return isScalar(value) && typeof value.value === 'string' ? detached(value.value) : undefined;
  return undefined;
}

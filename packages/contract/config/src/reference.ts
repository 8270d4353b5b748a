import { type DocumentEffect, type DocumentKind, replacedPath } from './document.ts';
import { type Field, type Fields, type Type } from './field/type.ts';
import { descriptionOf, kinds, type Kind } from './kind/kinds.ts';
import { moves } from './legacy/moves/all.ts';

/** One row of a table of fields. */
export type FieldRow = {
  /** `peers[].publicKey`, `params.*`. */
  readonly path: string;
  readonly type: string;
  readonly need: Field<unknown>['need'];
  /** What holds when it is left out, as it would be written. */
  readonly fallback?: string;
  readonly about: string;
  readonly secret?: Type<unknown>['secret'];
  /** How a patch joins a list. */
  readonly merge?: string;
  /** Kinds of documents that have replaced a field of the root. */
  readonly replacedBy?: readonly string[];
};

/** Every field of a kind, in the order of its description. */
export function fieldsOf(kind: Kind): readonly FieldRow[] {
  const all = rows(descriptionOf(kind)?.options.fields ?? {}, '');
  if (kind !== 'machine') return all;
  return all.map((row) => {
    const move = moves.find(({ from }) => from.includes(row.path));
    return move === undefined ? row : { ...row, replacedBy: move.into };
  });
}

function rows(fields: Fields, before: string): FieldRow[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = `${before}${name}`;
    const { type, need, about } = field;
    const shown = field.fallback ?? type.json['default'];
    const { type: inner, path: at } = innermost(type, path);
    const row: FieldRow = {
      path,
      type: type.says,
      need,
      about,
      ...(shown === undefined ? {} : { fallback: typeof shown === 'string' ? shown : JSON.stringify(shown) }),
      ...((type.secret ?? inner.secret) === undefined ? {} : { secret: type.secret ?? inner.secret }),
      ...(type.merge === undefined
        ? {}
        : { merge: type.merge === 'replace' ? 'replaced' : `item by item, by ${type.merge.by}` }),
    };
    return inner.fields === undefined ? [row] : [row, ...rows(inner.fields, `${at}.`)];
  });
}

function innermost(type: Type<unknown>, path: string): { type: Type<unknown>; path: string } {
  if (type.item === undefined) return { type, path };
  const isMap = type.json['type'] === 'object';
  return innermost(type.item, isMap ? `${path}.*` : `${path}[]`);
}

const effects: Readonly<Record<DocumentEffect, string>> = {
  live: 'A change takes effect at once.',
  service: 'A change takes effect when the services that read it start again.',
  reboot: 'A change takes effect when the machine boots again.',
  once: 'It counts only before the node is installed.',
};

function traits({ options }: DocumentKind<string, unknown>): string[] {
  const { fields, takesEffect, container, only, replaces, awaits } = options;
  const name = fields['name'];
  return [
    name === undefined
      ? 'There is one of it.'
      : `There may be many, told apart by \`name\`${name.need === 'optional' ? ', one of them without' : ''}.`,
    effects[takesEffect],
    ...(awaits === undefined
      ? []
      : ['**This version of the node checks it and keeps it, and does not act on it.**']),
    ...(only === undefined ? [] : ['Only a machine of type `controlplane` takes it.']),
    ...(container === 'ignored' ? ['It has no effect in a container.'] : []),
    ...(container === 'refused' ? ['A container refuses it.'] : []),
    ...(replaces === undefined
      ? []
      : [`It takes the place of ${replaces.map((one) => `\`${replacedPath(one)}\``).join(', ')}.`]),
  ];
}

function cells(words: readonly string[]): string {
  return `| ${words.map((word) => word.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}

/** The page of a kind, from another one. */
function linked(kind: string): string {
  return `[${kind}](${kind}.md)`;
}

/** A path as somebody writes it who does not think of lists. */
function plain(path: string): string {
  return path.replaceAll('[]', '');
}

/** The reference page of a kind, in Markdown. */
export function referencePage(kind: Kind): string {
  const description = descriptionOf(kind);
  if (description === undefined) throw new TypeError(`no such kind: ${kind}`);
  const { about, options } = description;
  const rules = options.rules?.map(({ says }) => `- ${says}`) ?? [];
  const table = fieldsOf(kind).map(
    ({ path, type, need, fallback, about: what, secret, merge, replacedBy = [] }) => {
      const more = [
        ...(secret === 'always' ? ['Secret: never shown.'] : []),
        ...(secret === 'maybe' ? ['Hidden where a configuration is shown.'] : []),
        ...(merge === undefined ? [] : [`In a patch: ${merge}.`]),
        ...(replacedBy.length === 0 ? [] : [`Older: now ${replacedBy.map(linked).join(', ')}.`]),
      ];
      const usual = need === 'required' ? 'required' : fallback === undefined ? '' : `\`${fallback}\``;
      return cells([
        `\`${path}\``,
        type,
        usual,
        [`${what}${more.length === 0 ? '' : '.'}`, ...more].join(' '),
      ]);
    },
  );
  return [
    `# ${kind}\n`,
    `${about[0]?.toUpperCase()}${about.slice(1)}. ${traits(description).join(' ')}\n`,
    ...(options.example === '' ? [] : [`\`\`\`yaml\n${exampleOf(kind)}\`\`\`\n`]),
    ['| Field | Type | Left out | |', '|---|---|---|---|', ...table].join('\n') + '\n',
    ...(rules.length === 0 ? [] : [`## Rules\n\n${rules.join('\n')}\n`]),
  ].join('\n');
}

/** Every kind and what it is, in the order of the alphabet; `machine` is the root document. */
export function aboutKinds(): readonly (readonly [kind: Kind, about: string])[] {
  const all = ['machine', ...kinds.keys()] as Kind[];
  const sorted = all.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  return sorted.map((kind) => [kind, descriptionOf(kind)?.about ?? '']);
}

/** A whole document of a kind, with its head; empty for the root document. */
export function exampleOf(kind: Kind): string {
  const example = descriptionOf(kind)?.options.example ?? '';
  return example === '' ? '' : `apiVersion: v1alpha1\nkind: ${kind}\n${example}`;
}

/** The reference pages by file name, an index among them. */
export function referenceFiles(): ReadonlyMap<string, string> {
  const sorted = aboutKinds();
  const index = sorted.map(([kind, about]) => `| [\`${kind}\`](${kind}.md) | ${about} |`);
  const readme = [
    '# Documents of a configuration\n',
    'Made from their descriptions by `npm run generate`. `machine` is the root document, which has no kind.\n',
    '| Document | |\n|---|---|',
    ...index,
  ];
  return new Map([
    ['README.md', `${readme.join('\n')}\n`],
    ...sorted.map(([kind]) => [`${kind}.md`, referencePage(kind)] as const),
  ]);
}

/**
 * A field of a kind and those below it; without a path all that it has.
 *
 * @returns undefined for a kind or a field that does not exist.
 */
export function fieldsBelow(kind: string, path: string): readonly FieldRow[] | undefined {
  if (descriptionOf(kind) === undefined) return undefined;
  const wanted = plain(path);
  const found = fieldsOf(kind as Kind).filter(
    (row) => path === '' || plain(row.path) === wanted || plain(row.path).startsWith(`${wanted}.`),
  );
  return found.length === 0 && path !== '' ? undefined : found;
}

/**
 * What a kind, or one of its fields and those below it, is for: lines for a terminal. A path is written as in the reference,
 * with `[]` or without.
 *
 * @returns undefined for a kind or a field that does not exist.
 */
export function explain(kind: string, path: string = ''): string | undefined {
  const description = descriptionOf(kind);
  const found = fieldsBelow(kind, path);
  if (description === undefined || found === undefined) return undefined;
  const head = path === '' ? [`${kind}: ${description.about}`, traits(description).join(' '), ''] : [];
  const width = Math.max(0, ...found.map((row) => row.path.length));
  const lines = found.map(({ path: at, type, need, fallback, about, replacedBy = [] }) => {
    const usual =
      need === 'required' ? ', required' : fallback === undefined ? '' : `, ${fallback} unless given`;
    const now = replacedBy.length === 0 ? '' : `; older, now ${replacedBy.join(', ')}`;
    return `${at.padEnd(width)}  ${about} (${type}${usual})${now}`;
  });
  return `${[...head, ...lines].join('\n')}\n`;
}

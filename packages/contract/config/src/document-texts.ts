import { readSource } from './source.ts';

/** A document as it stands in a text. */
export type DocumentText = {
  /** Empty for the root document. */
  readonly kind: string;
  readonly name?: string;
  /** `kind/name`, `kind`, or `machine` for the root document. */
  readonly identity: string;
  /** With the comments in front of it, and `---` as its first line: one behind the other they are the whole again. */
  readonly text: string;
};

/**
 * The documents of a text, each by itself, in their order. Secrets stay what they are.
 *
 * @throws {ConfigError} when the text can't be read, with every place.
 */
export function documentTexts(
  text: string,
  options: { readonly file?: string } = {},
): readonly DocumentText[] {
  const { documents, problems } = readSource(text, options.file);
  problems.throwIfAny();
  let at = 0;
  return documents.map(({ kind, name, identity, yaml }, index) => {
    const end = index === documents.length - 1 ? text.length : (yaml.range?.[2] ?? text.length);
    const own = text.slice(at, end);
    at = end;
    return { kind, ...(name === undefined ? {} : { name }), identity, text: separate(own) };
  });
}

/** A text that begins a document of its own, and ends its last line. */
function separate(text: string): string {
  const begun = /^(?:\s|#[^\n]*\n)*---(?:\s|$)/u.test(text) ? text : `---\n${text}`;
  return begun.endsWith('\n') ? begun : `${begun}\n`;
}

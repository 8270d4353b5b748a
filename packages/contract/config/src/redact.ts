import { parse } from './parse.ts';
import { secretFields, type SecretField } from './secret-fields.ts';
import { readSource } from './source.ts';

/** What stands in the place of a secret. Quoted, because a plain `*` begins an alias. */
export const placeholder = '"******"';
const changedPlaceholder = '"****** (changed)"';

/** A secret that somebody commented out is still one. */
const commented = /(?<=^|\s)(?<before>#.*?\b(?:passphrase|secret|token|key)["']?\s*:\s*)\S.*$/gmu;

/**
 * The text with every secret replaced, everything else untouched: comments, order, layout.
 *
 * @throws {ConfigError} when the text is not a valid configuration: then nobody knows where its secrets are.
 */
export function redact(text: string): string {
  return replace(text, findSecrets(text), () => placeholder);
}

/** Two versions redacted for comparing: a secret that changed looks different in the second one. */
export function redactBoth(before: string, after: string): { before: string; after: string } {
  const old = findSecrets(before);
  const values = new Map(old.map(({ id, value }) => [id, value]));
  const marked = (field: SecretField): string => {
    const value = values.get(field.id);
    return value === undefined || value === field.value ? placeholder : changedPlaceholder;
  };
  return {
    before: replace(before, old, () => placeholder),
    after: replace(after, findSecrets(after), marked),
  };
}

function findSecrets(text: string): SecretField[] {
  if (text.trim() === '') return []; // no configuration
  parse(text)[Symbol.dispose]();
  const { documents } = readSource(text, undefined);
  return documents.flatMap((document) => secretFields(document, text)).toSorted((a, b) => a.from - b.from);
}

function replace(text: string, fields: readonly SecretField[], by: (field: SecretField) => string): string {
  let result = '';
  let at = 0;
  for (const field of fields) {
    result += text.slice(at, field.from) + by(field);
    at = field.to;
  }
  return hideCommented(result + text.slice(at));
}

/** Secrets in comments, each on a line of its own. */
export function hideCommented(text: string): string {
  return text.replaceAll(commented, `$<before>${placeholder}`);
}

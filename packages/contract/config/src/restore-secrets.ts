import { hideCommented, placeholder } from './redact.ts';
import { secretFields } from './secret-fields.ts';
import { readSource } from './source.ts';

/** What the placeholder stands for once YAML took away its quotes. */
const shown = JSON.parse(placeholder) as string;

/**
 * Undoes `redact`: every secret that is only shown as hidden becomes the one that the same field has in `present`. Lets
 * somebody change a configuration whose secrets he does not see.
 *
 * A text without hidden secrets comes back as it is, also one that can't be read: `parse` says what is wrong with it.
 *
 * @throws {ConfigError} with each hidden secret for which `present` has none.
 */
export function restoreSecrets(edited: string, present: string): string {
  const text = restoreCommented(edited, present);
  if (!mayHide(text)) return text; // to read it costs as much as `parse`, which comes next
  const { documents, problems } = readSource(text, undefined);
  const hidden = documents
    .flatMap((document) => secretFields(document, text).map((field) => ({ ...field, document })))
    .filter(({ value }) => value === shown)
    .toSorted((a, b) => a.from - b.from);
  if (hidden.length === 0 || problems.count > 0) return text;
  const known = new Map(
    readSource(present, undefined).documents.flatMap((document) =>
      secretFields(document, present).map(({ id, from, to, value }) => [
        id,
        written(present.slice(from, to), value),
      ]),
    ),
  );
  let result = '';
  let at = 0;
  for (const { id, from, to, document } of hidden) {
    const secret = known.get(id);
    if (secret === undefined) {
      const message = 'hidden, and this node has no secret for it: write the secret itself';
      problems.add({ code: 'secret.hidden', message, path: [], document: document.identity, offset: from });
    }
    result += text.slice(at, from) + (secret ?? '');
    at = to;
  }
  problems.throwIfAny();
  return result + text.slice(at);
}

/** A scalar of YAML is written as it is, or with escapes. */
function mayHide(text: string): boolean {
  return text.includes(shown) || text.includes('\\');
}

/** Lines with a secret in a comment are known by the rest of them; equal ones in their order. */
function restoreCommented(text: string, present: string): string {
  const hidden = new Map<string, string[]>();
  for (const line of present.split('\n')) {
    const seen = hideCommented(line);
    if (seen !== line) hidden.set(seen, [...(hidden.get(seen) ?? []), line]);
  }
  return text
    .split('\n')
    .map((line) => hidden.get(line)?.shift() ?? line)
    .join('\n');
}

/** As it was written where that fits anywhere; a text of JSON, which is one of YAML, otherwise. */
function written(source: string, value: string): string {
  const isPlain = !/^["']/u.test(source);
  return source.includes('\n') || (isPlain && /[,[\]{}]/u.test(source)) ? JSON.stringify(value) : source;
}

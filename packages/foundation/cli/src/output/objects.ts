import { print, type Terminal } from '../terminal.ts';
import type { Format } from './format.ts';
import { escapeRaw, hasRaw, visibleJson } from './visible-text.ts';

/** Where the text goes: to a terminal or to a program. Without it, what standard output is, where commands print. */
type Goal = { readonly isTerminal?: boolean };

/**
 * Objects as JSON, YAML or by JSONPath. A list is one JSON array, or YAML documents; `single` prints one object bare. JSON and YAML
 * have what would move a cursor as escapes, wherever they go; a text by JSONPath on a terminal only.
 */
export async function formatObjects(
  objects: readonly unknown[],
  format: Exclude<Format, { readonly kind: 'table' }>,
  { single, isTerminal = process.stdout.isTTY }: Goal & { readonly single: boolean },
): Promise<string> {
  if (format.kind === 'json') return `${visibleJson(single ? objects[0] : objects, 2)}\n`;
  if (format.kind === 'yaml') return (await Promise.all(objects.map(yamlDocument))).join('---\n');
  return format.path.print(objects, { single, isTerminal });
}

/** One object of a stream: JSON on a line of its own, or a YAML document that ends with its separator. */
export async function formatStreamed(
  object: unknown,
  format: Exclude<Format, { readonly kind: 'table' }>,
  goal: Goal = {},
): Promise<string> {
  if (format.kind === 'json') return `${visibleJson(object)}\n`;
  const text = await formatObjects([object], format, { single: true, ...goal });
  return format.kind === 'yaml' ? `${text}---\n` : text;
}

const yamlOptions = { lineWidth: 0, aliasDuplicateObjects: false } as const;

async function yamlDocument(object: unknown): Promise<string> {
  const { Document, Scalar, stringify, visit } = await import('yaml');
  const text = stringify(object, yamlOptions);
  if (!hasRaw(text)) return text;
  const document = new Document(object, yamlOptions);
  visit(document, {
    Scalar: (_key, scalar) => {
      // Escapes are read in double quotes only.
      if (typeof scalar.value === 'string' && hasRaw(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return escapeRaw(document.toString(yamlOptions));
}

/**
 * Prints what a command found or did: text for people, the objects for programs.
 *
 * @param text is asked only where people read it; `''` prints nothing.
 */
export async function printFound(
  { out }: Pick<Terminal, 'out'>,
  format: Format,
  objects: readonly unknown[],
  { single, text }: { readonly single: boolean; readonly text: () => string },
): Promise<void> {
  const isTerminal = 'isTTY' in out && out.isTTY === true;
  const found =
    format.kind === 'table' ? text() : await formatObjects(objects, format, { single, isTerminal });
  if (found !== '') await print(out, found);
}

import { stringifyJson } from '@nodecore/sys/pure';
import { print, type Terminal } from '../terminal.ts';
import type { Format } from './format.ts';

/** Objects as JSON, YAML or by JSONPath. A list is one JSON array, or YAML documents; `single` prints one object bare. */
export async function formatObjects(
  objects: readonly unknown[],
  format: Exclude<Format, { readonly kind: 'table' }>,
  { single }: { readonly single: boolean },
): Promise<string> {
  if (format.kind === 'json') return `${stringifyJson(single ? objects[0] : objects, 2)}\n`;
  if (format.kind === 'yaml') return (await Promise.all(objects.map(yamlDocument))).join('---\n');
  return format.path.print(objects, { single });
}

/** One object of a stream: JSON on a line of its own, or a YAML document that ends with its separator. */
export async function formatStreamed(
  object: unknown,
  format: Exclude<Format, { readonly kind: 'table' }>,
): Promise<string> {
  if (format.kind === 'json') return `${stringifyJson(object)}\n`;
  const text = await formatObjects([object], format, { single: true });
  return format.kind === 'yaml' ? `${text}---\n` : text;
}

async function yamlDocument(object: unknown): Promise<string> {
  const { stringify: yaml } = await import('yaml');
  return yaml(object, { lineWidth: 0, aliasDuplicateObjects: false });
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
  const found = format.kind === 'table' ? text() : await formatObjects(objects, format, { single });
  if (found !== '') await print(out, found);
}

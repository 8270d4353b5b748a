import { stringifyJson } from '@nodecore/sys/pure';

import { UsageError } from '../usage-error.ts';
import { ObjectPath } from './object-path.ts';
import { PathTemplate } from './path-template.ts';
import { visibleJson, visibleText } from './visible-text.ts';

/**
 * A JSONPath (RFC 9535), as `$.spec.size` or `.spec.size`, or a template of paths in braces as kubectl has it.
 *
 * @see docs/decisions/jsonpath.md
 */
export class JsonPath {
  readonly #path: ObjectPath | undefined;
  readonly #template: PathTemplate | undefined;

  constructor(text: string) {
    try {
      const path = pathOf(text.trim());
      this.#template = path === undefined ? new PathTemplate(text) : undefined;
      const alone = path ?? this.#template?.onlyPath;
      this.#path = path === undefined && alone?.isOfItems === true ? undefined : alone;
    } catch (error) {
      const reason = error instanceof Error ? error.message.replaceAll('\n', ' ') : 'not understood';
      throw new UsageError(
        `jsonpath ${text}: ${reason}; write it like $.spec.size, or {.metadata.id}{" "}{.spec.size}`,
      );
    }
  }

  /** The values found, texts and numbers as they are, anything else as JSON. */
  find(value: unknown): string[] {
    const found = this.#path?.find(value) ?? [];
    return found.map((each) => (typeof each === 'string' ? each : stringifyJson(each)));
  }

  /** The cell of a table: empty when there is nothing, and a list with commas. */
  column(value: unknown): string {
    return (this.#path?.find(value) ?? []).flatMap(cells).join(', ');
  }

  /**
   * What it makes of objects: of a path a line for each value, of a template a line for each object, or as many as the
   * template has when it goes over `.items` of all of them.
   *
   * @param options `isTerminal`: texts move no cursor; for programs they are as they are.
   */
  print(
    objects: readonly unknown[],
    { single, isTerminal = false }: { readonly single: boolean; readonly isTerminal?: boolean },
  ): string {
    const path = this.#path;
    if (path !== undefined)
      return objects
        .flatMap((object) => path.find(object))
        .map((value) => `${shown(value, isTerminal, 2)}\n`)
        .join('');
    const template = this.#template!;
    const roots = template.isOfItems && !single ? [{ items: objects }] : objects;
    return roots.map((root) => ended(template.render(root, (value) => shown(value, isTerminal)))).join('');
  }
}

function shown(value: unknown, isTerminal: boolean, indent = 0): string {
  if (typeof value !== 'string') return visibleJson(value, indent);
  return isTerminal ? visibleText(value) : value;
}

/** A path without braces; undefined for a template. */
function pathOf(text: string): ObjectPath | undefined {
  if (!text.includes('{')) return new ObjectPath(text);
  if (!/^[$.[]/u.test(text)) return undefined;
  try {
    return new ObjectPath(text); // the brace is in a quoted text
  } catch {
    return undefined;
  }
}

/** The next prompt or object begins on a line of its own. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function cells(value: unknown): string[] {
  if (value === null) return [];
  if (Array.isArray(value)) return value.flatMap(cells);
  return [typeof value === 'string' ? value : stringifyJson(value)];
}

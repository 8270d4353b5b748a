import { stringify } from '@nodecore/api';
import { query } from 'jsonpath-rfc9535';
import { UsageError } from '../errors.ts';

/** A JSONPath (RFC 9535), as `$.spec.size`, `.spec.size` or, as other tools of this kind have it, `{.spec.size}`. */
export class JsonPath {
  readonly #path: string;

  constructor(text: string) {
    this.#path = normalise(text);
    try {
      query(null, this.#path);
    } catch (error) {
      const reason = error instanceof Error ? error.message.replaceAll('\n', ' ') : 'not understood';
      throw new UsageError(`jsonpath ${text}: ${reason}; write it like $.spec.size or {.spec.size}`);
    }
  }

  /** The values found, texts and numbers as they are, anything else as JSON. */
  find(value: unknown, indent = 0): string[] {
    return this.#query(value).map((found) => (typeof found === 'string' ? found : stringify(found, indent)));
  }

  /** The cell of a table: empty when there is nothing, and a list with commas. */
  column(value: unknown): string {
    return this.#query(value).flatMap(cells).join(', ');
  }

  #query(value: unknown): unknown[] {
    return query(value as Parameters<typeof query>[0], this.#path);
  }
}

function cells(value: unknown): string[] {
  if (value === null) return [];
  if (Array.isArray(value)) return value.flatMap(cells);
  return [typeof value === 'string' ? value : stringify(value)];
}

function normalise(text: string): string {
  const braced = /^\{([^{}]*)\}$/.exec(text.trim())?.[1];
  const path = (braced ?? text).trim();
  if (path.startsWith('$')) return path;
  return path.startsWith('.') || path.startsWith('[') ? `$${path}` : `$.${path}`;
}

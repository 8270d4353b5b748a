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
    return query(value as Parameters<typeof query>[0], this.#path).map((found: unknown) =>
      typeof found === 'string' ? found : stringify(found, indent),
    );
  }

  /** The value for a column of a table: empty when there is none. */
  column(value: unknown): string {
    return this.find(value)
      .filter((text) => text !== 'null')
      .join(',');
  }
}

function normalise(text: string): string {
  const braced = /^\{([^{}]*)\}$/.exec(text.trim())?.[1];
  const path = (braced ?? text).trim();
  if (path.startsWith('$')) return path;
  return path.startsWith('.') || path.startsWith('[') ? `$${path}` : `$.${path}`;
}

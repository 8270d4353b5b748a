import { type Document as YamlDocument, visit } from 'yaml';

/** A number that JavaScript can't hold is written as it was, in quotes: sizes are read from the text. */
export function keepLargeNumbers(yaml: YamlDocument): void {
  visit(yaml, {
    Scalar: (_key, scalar) => {
      const { value, source } = scalar;
      if (typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined) {
        scalar.value = source;
        scalar.type = 'QUOTE_DOUBLE';
      }
    },
  });
}

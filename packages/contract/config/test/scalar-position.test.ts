import test from 'ava';
import { Composer, isMap, isScalar, Parser, type Scalar } from 'yaml';

import { expressionOffset } from '../src/scalar-position.ts';

function valueOf(text: string): Scalar {
  for (const document of new Composer().compose(new Parser().parse(text), false, text.length)) {
    const value = isMap(document.contents) ? document.contents.items[0]?.value : undefined;
    if (isScalar(value)) return value;
  }
  throw new Error(`no value in ${text}`);
}

/** Each form holds the word `here` once; the offset of that word in the value must lead to it in the source. */
const forms: Record<string, string> = {
  plain: 'match: a && here',
  'plain over several lines': 'match: a &&\n    b &&\n\n  here',
  'single quotes with a doubled quote': "match: 'a == ''x'' && here'",
  'double quotes with escapes': 'match: "a == \\"x\\" \\u0026\\x26 \\U0001F600 here"',
  'double quotes over several lines': 'match: "a &&\n   b && here"',
  'double quotes with a continued line': 'match: "a &\\\n    & here"',
  literal: 'match: |\n  a &&\n    b &&\n  here\n',
  'literal with header': 'match: |-  # comment\n    a &&\n\n    here\n',
  folded: 'match: >-\n  a &&\n  b &&\n\n  here\n',
};

for (const [form, text] of Object.entries(forms)) {
  test(`a place in an expression is found in YAML: ${form}`, (t) => {
    const scalar = valueOf(text);
    const value = String(scalar.value);
    const index = value.indexOf('here');
    const before = value.slice(0, index).split('\n');
    const position = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    const offset = (scalar.range?.[0] ?? 0) + expressionOffset(scalar, text, position);
    t.is(text.slice(offset, offset + 4), 'here');
  });
}

test('a place past the end stays inside the source', (t) => {
  const text = "match: 'abc'";
  const scalar = valueOf(text);
  t.is(expressionOffset(scalar, text, { line: 1, column: 99 }), 4);
  t.is(expressionOffset(undefined, text, { line: 1, column: 1 }), 0);
});

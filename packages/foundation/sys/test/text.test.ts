import { decodeText, TextError } from '@nodecore/sys';
import test from 'ava';

test('a text is what its bytes say, without one byte order mark at its start', (t) => {
  t.is(decodeText(Buffer.from('grün 🦀 e\u0301\n')), 'grün 🦀 e\u0301\n');
  t.is(decodeText(Buffer.from('\uFEFFa: 1')), 'a: 1');
  t.is(decodeText(Buffer.from('\uFEFF\uFEFFa: 1')), '\uFEFFa: 1');
  t.is(decodeText(Buffer.from('aa\u0000: �')), 'aa\u0000: �');
  t.is(decodeText(Buffer.alloc(0)), '');
});

const places: readonly (readonly [string, readonly (string | number)[], number, number])[] = [
  ['Latin-1', ['a: 1\nkey: caf', 0xe9, 0xe8, '\n'], 2, 9],
  ['a byte after others that are UTF-8', ['é🦀', 0xff], 1, 4],
  ['the first byte', [0x80], 1, 1],
  ['a sequence that the end cuts', ['ab\n', 0xf0, 0x9f, 0xa6], 2, 1],
  ['a sequence that another character cuts', ['x', 0xe2, 0x82, 'A'], 1, 2],
  ['an overlong slash', [0xc0, 0xaf], 1, 1],
  ['an overlong form of three bytes', ['.', 0xe0, 0x9f, 0xbf], 1, 2],
  ['half of a surrogate pair', ['\r\n', 0xed, 0xa0, 0x80], 2, 1],
  ['a number beyond Unicode', [0xf4, 0x90, 0x80, 0x80], 1, 1],
  ['after a replacement character that is meant', ['��', 0xef, 0xbf, 'z'], 1, 3],
];

test('the first place that is not UTF-8 is named, and the bytes there are not', (t) => {
  for (const [what, parts, line, column] of places) {
    const bytes = Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))),
    );
    const error = t.throws(
      () => decodeText(bytes),
      { instanceOf: TextError, code: 'ERR_TEXT_ENCODING' },
      what,
    );
    t.deepEqual([error.line, error.column], [line, column], what);
    t.is(error.message, 'this byte is not part of a UTF-8 text: save it as UTF-8', what);
  }
});

test('every pair of bytes is taken or refused as the platform does', (t) => {
  const platform = new TextDecoder('utf-8', { fatal: true });
  for (let pair = 0x8000; pair < 0x10000; pair += 1) {
    const bytes = Buffer.from([0x61, 0x61, pair >> 8, pair & 0xff, 0x80, 0x80, 0x61]);
    const error = failureOf(() => decodeText(bytes));
    t.is(error === undefined, failureOf(() => platform.decode(bytes)) === undefined, pair.toString(16));
    // What is before the place is whole, and what begins there is not.
    if (error instanceof TextError) t.true(error.column >= 3 && error.column <= 7, pair.toString(16));
  }
});

function failureOf(decode: () => string): unknown {
  try {
    decode();
    return undefined;
  } catch (error) {
    return error;
  }
}

test('other encodings are called by their name', (t) => {
  const text = 'kind: x\n';
  const little = Buffer.from(text, 'utf16le');
  const big = Buffer.from(little).swap16();
  const wide = Buffer.from([...Buffer.from(text)].flatMap((letter) => [letter, 0, 0, 0]));
  for (const [bytes, name] of [
    [Buffer.concat([Buffer.of(0xff, 0xfe), little]), 'UTF-16'],
    [Buffer.concat([Buffer.of(0xfe, 0xff), big]), 'UTF-16'],
    [little, 'UTF-16'],
    [big, 'UTF-16'],
    [wide, 'UTF-32'],
    [Buffer.concat([Buffer.of(0xff, 0xfe, 0, 0), wide]), 'UTF-32'],
    [Buffer.from(wide).swap32(), 'UTF-32'],
  ] as const)
    t.throws(() => decodeText(bytes), { message: `the text is ${name}: save it as UTF-8` });
});

import test, { type ExecutionContext } from 'ava';

import { SelectorError, compileDiskSelector } from '@nodecore/selector';
import { maxSteps } from '../src/cel/budget.ts';
import { maxDepth, maxLength } from '../src/cel/parser.ts';
import { someDisk } from './some-disk.ts';
import { stepsOf } from './steps-of.ts';

const ask = (text: string) => compileDiskSelector(text).matches({ disk: someDisk(), systemDisk: false });

function refusal(t: ExecutionContext, text: string): SelectorError {
  const error = t.throws(() => compileDiskSelector(text), { instanceOf: SelectorError });
  if (error === undefined) throw new TypeError('it compiled');
  return error;
}

const terms = (count: number, operator: string): string =>
  Array.from({ length: count }, (_, index) => `disk.serial == "WD-WX${index}"`).join(` ${operator} `);

test('a chain of a thousand terms is a selector as any other', (t) => {
  t.deepEqual(ask(`${terms(1000, '||')} || disk.serial == "S1"`), { matched: true });
  t.deepEqual(ask(terms(1000, '||')), { matched: false });
  t.deepEqual(ask(terms(1000, '&&').replaceAll('==', '!=')), { matched: true });
});

const large: readonly (readonly [string, string, number])[] = [
  ['three thousand terms', terms(3000, '||'), maxLength + 1],
  ['too many negations', `${'!'.repeat(20_000)}true`, maxDepth + 1],
  ['too many minus signs', `0 == ${'-'.repeat(20_000)}0`, maxDepth + 6],
  ['parentheses in parentheses', `${'('.repeat(20_000)}true${')'.repeat(16_000)}`.slice(0, maxLength), 101],
  ['lists in lists', `${'['.repeat(16_000)}${']'.repeat(16_000)} == []`, 101],
  ['conditions in conditions', `${'true ? true : '.repeat(2000)}true`, 1401],
  ['calls in calls', `${'dyn('.repeat(4000)}1${')'.repeat(4000)} == 1`, 401],
  ['a sum of very many', `${'1 + '.repeat(4000)}1 == 1`, 1],
  ['fields of fields', `dyn(disk)${'.x'.repeat(4000)} == 1`, 407],
  ['elements of elements', `[]${'[0]'.repeat(4000)} == 1`, 1],
  ['macros in macros', `${'[1].all(x, '.repeat(2000)}true${')'.repeat(2000)}`, 1091],
];

for (const [title, text, column] of large) {
  test(`what is too large is refused where it becomes so: ${title}`, (t) => {
    const { code, line, column: at, message, expression } = refusal(t, text);
    t.is(code, 'ERR_SELECTOR_LIMIT');
    t.deepEqual([line, at], [1, column]);
    t.is(expression, text);
    t.true(message.length < 1000, 'the whole text is in the message');
  });
}

const hex = '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]';
/** Doubles what it is called on, each time. */
const doubled = (times: number, body: string): string => `.map(s, ${body})`.repeat(times);
const macros = (depth: number, body: string): string =>
  depth === 0 ? body : `${hex}.all(x${depth}, ${macros(depth - 1, body)})`;

/** Short, and without an end in sight when nobody counts. */
const costly: Readonly<Record<string, string>> = {
  'macros in macros': macros(8, 'x1 >= 0'),
  'macros whose conditions fail': macros(8, 'x1 / 0 == 1'),
  'macros that hide errors': `${hex}.exists(e, ${macros(8, 'x1 / 0 == 1')}) || true`,
  'has() of a macro': `has({"a": ${macros(8, 'true')}}.a)`,
  'texts that double': `["xxxxxxxx"]${doubled(40, 's + s')}.exists(s, s == "")`,
  'bytes that double': `[b"xxxxxxxx"]${doubled(40, 's + s')}.exists(s, s == b"")`,
  'lists that double': `[[1]]${doubled(40, 's + s')}.exists(s, s == [])`,
  'one list in itself many times': `[[1]]${doubled(40, '[s, s]')}.exists(s, s == s)`,
  'one map in itself many times': `[{1: 1}]${doubled(40, '{1: s, 2: s}')}.exists(s, s == s)`,
  'texts that are joined': `["x"]${doubled(30, '[s, s, s, s].join("-")')}.exists(s, s == "")`,
  'a search in a long text': `["aaaaaaaaaaaaaaaa"]${doubled(12, 's + s')}.exists(s, s.contains(s + "b"))`,
  'a text cut into its letters': `["aaaaaaaaaaaaaaaa"]${doubled(15, 's + s')}.all(s, s.split("").size() > 1)`,
  'patterns in macros': macros(4, '!"x".matches("(a|b|c|d)*(.*)*z" + string(x1))'),
  'a pattern on a long text': `["aaaaaaaaaaaaaaaa"]${doubled(12, 's + s')}.exists(s, s.matches("(a*a*a*)*b"))`,
  'time zones': macros(3, 'timestamp("2009-02-13T23:31:30Z").getHours("Australia/Sydney") == 1 || true'),
  'times that are read': macros(4, 'timestamp("2009-02-13T23:31:30Z") != timestamp("2010-02-13T23:31:30Z")'),
  'numbers that are read': macros(4, `double("1${'0'.repeat(300)}") > 1.0`),
  'a glob of stars': `["aaaaaaaaaaaaaaaa"]${doubled(12, 's + s')}.exists(s, glob("*a*a*a*a*a*b" + s, s))`,
};

for (const [title, text] of Object.entries(costly)) {
  test(`an evaluation ends when it has cost too much: ${title}`, (t) => {
    t.true(text.length < 3500);
    const { matched, tooCostly, error = '' } = ask(text);
    t.false(matched);
    t.true(tooCostly, error);
    t.regex(error, /costs too much: more than 50000 steps/u);
    const explained = compileDiskSelector(`true && ${text}`).explain({ disk: someDisk(), systemDisk: false });
    t.like(explained, { matched: false, tooCostly: true, failed: { line: 1 } });
    // Counted, not timed: the last step that was paid for is the one that is too much, and each time the same.
    const steps = stepsOf(text);
    t.true(steps > maxSteps);
    t.is(stepsOf(text), steps);
  });
}

test('a pattern that is too large is refused before it is compiled', (t) => {
  const nested = '((((a{10}){10}){10}){10}){10}';
  t.regex(refusal(t, `disk.model.matches("${nested}")`).reason, /too large/u);
  t.regex(refusal(t, `disk.model.matches("${'a'.repeat(1001)}")`).reason, /too large/u);
  t.regex(ask(`disk.model.matches("${nested}" + disk.model)`).error ?? '', /too large|costs too much/u);
  t.deepEqual(ask('disk.model.matches("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")'), { matched: false });
});

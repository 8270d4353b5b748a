import test from 'ava';

import { Budget, maxSteps } from '../src/cel/budget.ts';
import { evaluate } from '../src/cel/evaluator.ts';
import { TooCostly } from '../src/cel/failure.ts';
import { parse } from '../src/cel/parser.ts';
import { patternSize } from '../src/cel/pattern-size.ts';
import { selectorLanguage } from '../src/selector-language.ts';
import { stepsOf } from './steps-of.ts';

const sixteen = '"aaaaaaaaaaaaaaaa"';
/** Each is one step for every part that is evaluated, and more for what is behind the comment. */
const counted: readonly (readonly [string, number])[] = [
  ['1 + 1 == 2', 6], // one to compare
  ['[1, 2].all(x, x > 0)', 10],
  ['[1, 2].map(x, x + 1) == [2, 3]', 17], // three to compare a list of two
  ['[1, 2, 3] == [1, 2, 3]', 13],
  [`${sixteen} + ${sixteen} == ""`, 8], // two to copy 32 characters
  ['[1] + [2, 3] == []', 12], // three to copy three elements
  [`[${sixteen}, "b"].join(${sixteen}) == ""`, 13], // two elements, 17 to 32 characters each
  [`${sixteen}.matches("a{20}b")`, 78], // 21 to compile, 54 to match
  ['timestamp("2009-02-13T23:31:30Z") == timestamp(0)', 46], // 40 to read
  ['1 / 0 == 1 || [1].exists(x, x / 0 == 1) || true', 163], // 50 for each error that is passed over
];

for (const [text, steps] of counted) {
  test(`what an evaluation costs is counted: ${text}`, (t) => {
    t.is(stepsOf(text), steps);
  });
}

test('an evaluation that has cost too much has no answer, whatever it is part of', (t) => {
  const language = selectorLanguage();
  const long = '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(x, x / 1 > 0)';
  const run = (text: string, max: number) => evaluate(parse(text, language), language, {}, new Budget(max));
  t.true(run(long, 100));
  for (const text of [long, `${long} || true`, `${long} ? true : true`])
    t.throws(() => run(text, 20), { instanceOf: TooCostly }, text);
  for (const text of [`[1].exists(y, ${long}) || true`, `!(${long} && false)`, `has({"a": ${long}}.a)`])
    t.throws(() => run(text, 20), { instanceOf: TooCostly }, text);
});

test('an evaluation may cost a few milliseconds, and no more by itself', (t) => {
  t.is(maxSteps, 50_000);
  const budget = new Budget();
  budget.spend(maxSteps);
  t.throws(() => budget.spend(1), { instanceOf: TooCostly });
});

test('what people write costs a small part of what an evaluation may', (t) => {
  const cheap: readonly (readonly [string, number])[] = [
    ['1 + 1 == 2', 6],
    ['"a" == "b" || [1, 2, 3].exists(e, e == 3)', 25],
    ['"WD_BLACK".matches("^WD_[A-Z]+") && glob("WD*", "WD_BLACK")', 60],
    ['timestamp("2009-02-13T23:31:30Z").getHours("+02:00") == 1', 60],
  ];
  for (const [text, most] of cheap) t.true(stepsOf(text) <= most, `${text}: ${stepsOf(text)}`);
});

test('what a pattern comes to is known before it is compiled', (t) => {
  const sizes: readonly (readonly [string, number])[] = [
    ['', 0],
    ['abc', 3],
    ['[a-z]{8}-[a-z]{4}', 13],
    ['[]a]{3}[^]]{2}', 5],
    ['[[:alpha:]]{3}', 3],
    [String.raw`\{3}\d{3}`, 6],
    ['a{3,}b{2,5}', 8],
    ['((ab){10}){10}', 420],
    [String.raw`\Qa{9}\E`, 8],
    ['a{', 2],
  ];
  for (const [pattern, size] of sizes) t.is(patternSize(pattern), size, pattern);
});

import test from 'ava';
import { parseDocument } from 'yaml';

import { parse, patchConfiguration, type Kind } from '@nodecore/config';
import { written as fallbackOf } from '../../src/field/fallback.ts';
import { secretFields } from '../../src/secret-fields.ts';
import { readSource } from '../../src/source.ts';
import { problemsOf } from '../fixtures/problems.ts';
import {
  allKinds,
  type Described,
  exampleOf,
  has,
  isMap,
  placesOf,
  shownPath,
  type Step,
  valueAt,
  withoutField,
  withValue,
  written,
} from './described.ts';

/** Longer than a name of a field, so that whoever repeats it in a message is found. */
const marker = 'zqx'.repeat(20);

/** A field that is known so that it can be refused whatever it says. */
function isRefused({ type }: Described): boolean {
  return type.says === 'nothing: it is not taken';
}

test('each field takes its own type, and says at its place what else was given', (t) => {
  let cases = 0;
  for (const kind of allKinds) {
    for (const { path, type } of placesOf(kind).filter((one) => !isRefused(one))) {
      const isWhole = type.fields !== undefined || type.item !== undefined || type.says === 'any mapping';
      const wrong = isWhole ? marker : { [marker]: marker };
      const { text, line, column } = written(withValue(exampleOf(kind), path, wrong), path);
      const problems = problemsOf(text);
      const own = problems.filter((one) => one.path === shownPath(path));
      t.true(
        own.some(
          (one) =>
            ['wrong_type', 'invalid_value'].includes(one.code) && one.line === line && one.column === column,
        ),
        `${kind} ${shownPath(path)} ${line}:${column} ${JSON.stringify(problems)}\n${text}`,
      );
      t.false(JSON.stringify(problems).includes(marker), `${kind} ${shownPath(path)}`);
      cases += 1;
    }
  }
  t.log(`${cases} cases`);
  t.true(cases > 700, `${cases}`);
});

test('a field without a value is called empty, at its key', (t) => {
  for (const kind of allKinds) {
    for (const { path, field } of placesOf(kind).filter((one) => !isRefused(one))) {
      if (field === undefined) continue;
      const { text } = written(withValue(exampleOf(kind), path, null), path);
      const problems = problemsOf(text).filter((one) => one.path === shownPath(path));
      t.true(
        problems.some(({ code, message }) => code === 'wrong_type' && message.startsWith('empty')),
        `${kind} ${shownPath(path)} ${JSON.stringify(problems)}`,
      );
    }
  }
});

test('each field that has to be there is missed, with its path', (t) => {
  let cases = 0;
  for (const kind of allKinds) {
    const example = exampleOf(kind);
    for (const { path, field } of placesOf(kind)) {
      // A document without a version is not known to be the root.
      if (field?.need !== 'required' || shownPath(path) === 'version') continue;
      const parent = path.slice(0, -1);
      const whole = has(example, parent) ? example : withValue(example, parent, {});
      const text = written(withoutField(whole, path), parent).text;
      const [found] = problemsOf(text).filter((one) => one.path === shownPath(path));
      t.is(found?.code, 'required', `${kind} ${shownPath(path)}\n${text}`);
      cases += 1;
    }
  }
  t.log(`${cases} cases`);
  t.true(cases > 150, `${cases}`);
});

test('each mapping refuses a field that it does not have', (t) => {
  for (const kind of allKinds) {
    const mappings = placesOf(kind).filter(({ type }) => type.fields !== undefined);
    for (const path of [[], ...mappings.map((one) => one.path)]) {
      const { text } = written(withValue(exampleOf(kind), [...path, marker], 1), path);
      const found = problemsOf(text).filter(({ code }) => code === 'unknown_field');
      t.is(found.length, 1, `${kind} ${shownPath(path)}\n${text}`);
      t.false(JSON.stringify(found).includes(marker), `${kind} ${shownPath(path)}`);
    }
  }
});

test('each number and each word outside of what a field takes is refused at its place', (t) => {
  let cases = 0;
  for (const kind of allKinds) {
    for (const { path, type } of placesOf(kind)) {
      const { minimum, maximum, enum: words, type: json } = type.json;
      const wrong: readonly unknown[] = [
        ...(json === 'integer' && typeof minimum === 'number' ? [minimum - 1] : []),
        ...(json === 'integer' && typeof maximum === 'number' ? [maximum + 1] : []),
        ...(Array.isArray(words) ? ['zqx'] : []),
      ];
      for (const value of wrong) {
        const { text, line, column } = written(withValue(exampleOf(kind), path, value), path);
        const problems = problemsOf(text).filter((one) => one.path === shownPath(path));
        t.true(
          problems.some((one) => one.line === line && one.column === column),
          `${kind} ${shownPath(path)} ${String(value)} ${JSON.stringify(problems)}`,
        );
        cases += 1;
      }
    }
  }
  t.log(`${cases} cases`);
});

test('each field that is left out is what its description says', (t) => {
  let cases = 0;
  for (const kind of allKinds) {
    const example = exampleOf(kind);
    for (const { path, field } of placesOf(kind)) {
      if (field?.need !== 'fallback') continue;
      const parent = path.slice(0, -1);
      const whole = has(example, parent) ? example : withValue(example, parent, {});
      const { text } = written(withoutField(whole, path), parent);
      if (problemsOf(text).length > 0 || kind === 'machine') continue; // what else the mapping needs is in the table of its kind
      using configuration = parse(text);
      const value = valueAt(configuration.get(kind as Kind), path);
      t.deepEqual(value, fallbackOf(field), `${kind} ${shownPath(path)}`);
      cases += 1;
    }
  }
  t.log(`${cases} cases`);
  t.true(cases > 40, `${cases}`);
});

/** Two lists, and what a patch with the second makes of the first. */
function joined({ type: { merge, item } }: Described): readonly [unknown, unknown, unknown] {
  if (merge === 'replace')
    return [
      ['a', 'b'],
      ['b', 'c'],
      ['b', 'c'],
    ];
  const by = merge?.by ?? '';
  const one = (key: string, rest: object = {}): object => ({ [by]: key, ...rest });
  if (by !== '')
    return [
      [one('a', { x: 1 }), one('b', { x: 1 })],
      [one('b', { y: 2 }), one('c')],
      [one('a', { x: 1 }), one('b', { x: 1, y: 2 }), one('c')],
    ];
  return item?.fields === undefined
    ? [
        ['a', 'b'],
        ['b', 'c'],
        ['a', 'b', 'c'],
      ]
    : [
        [{ x: 1 }, { x: 2 }],
        [{ x: 2 }, { x: 3 }],
        [{ x: 1 }, { x: 2 }, { x: 3 }],
      ];
}

/** What is in a document, as `patchConfiguration` leaves it. */
function patched(kind: string, path: readonly Step[], before: unknown, patch: unknown): unknown {
  const head = exampleOf(kind);
  const { name, apiVersion } = head as { readonly name?: unknown; readonly apiVersion?: unknown };
  const identity =
    apiVersion === undefined ? { version: 'v1alpha1' } : { kind, ...(name === undefined ? {} : { name }) };
  const text = written(withValue(head, path, before), path).text;
  const made = patchConfiguration(text, [{ text: written(withValue(identity, path, patch), path).text }]);
  return valueAt(parseDocument(made).toJS(), path);
}

test('each list is joined by a patch as its description says, and each mapping field by field', (t) => {
  let cases = 0;
  for (const kind of allKinds) {
    for (const place of placesOf(kind)) {
      const { path, type } = place;
      const told = `${kind} ${shownPath(path)}`;
      if (path.some((step) => typeof step === 'number')) continue; // which item is meant, its list says
      if (type.item !== undefined && !isMap(type)) {
        const [before, patch, after] = joined(place);
        t.deepEqual(patched(kind, path, before, patch), after, told);
        t.deepEqual(patched(kind, path, after, patch), after, `${told}, once more`);
      } else if (type.item !== undefined || type.fields !== undefined || type.says === 'any mapping') {
        const after = type.merge === 'replace' ? { b: 2 } : { a: 1, b: 2 };
        t.deepEqual(patched(kind, path, { a: 1 }, { b: 2 }), after, told);
        t.deepEqual(patched(kind, path, { a: 1 }, null), undefined, `${told}, cleared`);
      } else continue;
      cases += 1;
    }
  }
  t.log(`${cases} cases`);
  t.true(cases > 150, `${cases}`);
});

test('whatever stands in a secret field is hidden, in a free text too, and nothing else is', (t) => {
  let secrets = 0;
  for (const kind of allKinds) {
    const hiding: string[] = [];
    for (const { path, type } of placesOf(kind)) {
      const told = `${kind} ${shownPath(path)}`;
      const isBelow = hiding.some((one) => shownPath(path).startsWith(one));
      if (type.secret !== undefined) hiding.push(shownPath(path));
      const isHidden = isBelow || type.secret !== undefined;
      const isWhole = type.fields !== undefined || (type.item !== undefined && !isHidden);
      if (isWhole) continue;
      const foreign = type.says === 'any mapping' || (isHidden && type.item !== undefined);
      const planted = foreign ? { a: [{ b: marker }] } : marker;
      const { text } = written(withValue(exampleOf(kind), path, planted), path);
      const [document] = readSource(text, undefined).documents;
      const found = document === undefined ? [] : secretFields(document, text);
      const shown = found
        .toSorted((a, b) => b.from - a.from)
        .reduce((rest, { from, to }) => rest.slice(0, from) + rest.slice(to), text);
      t.is(shown.includes(marker), !isHidden, `${told}\n${text}`);
      if (isHidden) secrets += 1;
    }
  }
  t.log(`${secrets} secrets`);
  t.true(secrets > 40, `${secrets}`);
});

import { type Place } from '../place.ts';
import { type Json } from './type.ts';

/** A rule over the fields of one object that JSON Schema can say too: given once, as data. */
export type Rule = {
  readonly json: Json;
  /** In the reference: `exactly one of a, b`. */
  readonly says: string;
  readonly check: (at: Place) => void;
};

const given = (at: Place, names: readonly string[]): string[] =>
  names.filter((name) => at.get(name) !== undefined);

/** One of the fields and no other. */
export function exactlyOne(...names: readonly string[]): Rule {
  const says = `exactly one of ${names.join(', ')}`;
  return {
    says,
    json: { oneOf: names.map((name) => ({ required: [name] })) },
    check: (at) => {
      const [first, second] = given(at, names);
      if (first === undefined) at.problem('fields.one_of', `takes ${says}`);
      else if (second !== undefined) at.problemAt(second, 'fields.one_of', `takes ${says}`);
    },
  };
}

/** At most one of the fields. */
export function atMostOne(...names: readonly string[]): Rule {
  const says = `at most one of ${names.join(', ')}`;
  return {
    says,
    json: {
      not: {
        anyOf: names.flatMap((one, i) => names.slice(i + 1).map((other) => ({ required: [one, other] }))),
      },
    },
    check: (at) => {
      const [, second] = given(at, names);
      if (second !== undefined) at.problemAt(second, 'fields.at_most_one', `takes ${says}`);
    },
  };
}

/** One of the fields, or more. */
export function atLeastOne(...names: readonly string[]): Rule {
  const says = `at least one of ${names.join(', ')}`;
  return {
    says,
    json: { anyOf: names.map((name) => ({ required: [name] })) },
    check: (at) => {
      if (given(at, names).length === 0) at.problem('fields.at_least_one', `takes ${says}`);
    },
  };
}

/** A field that has no meaning without another. */
export function needs(name: string, other: string): Rule {
  return {
    says: `${name} needs ${other}`,
    json: { dependentRequired: { [name]: [other] } },
    check: (at) => {
      if (at.get(name) !== undefined && at.get(other) === undefined)
        at.problemAt(name, 'fields.needs', `needs ${other} beside it`);
    },
  };
}

/** A field that is taken only where another has one of these values; `unset` counts the other left out among them. */
export function onlyWhere(
  name: string,
  other: string,
  values: readonly (string | boolean)[],
  options: { readonly unset?: boolean } = {},
): Rule {
  const says = `${name} only with ${other}: ${values.join(', ')}`;
  return {
    says,
    json: {
      if: { required: [name] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: {
        properties: { [other]: { enum: values } },
        ...(options.unset === true ? {} : { required: [other] }),
      },
    },
    check: (at) => {
      if (at.get(name) === undefined) return;
      const value = at.get(other)?.scalar()?.value;
      const isTaken = value === undefined ? options.unset === true : values.some((one) => one === value);
      if (!isTaken) at.problemAt(name, 'fields.only_where', `is taken ${says.slice(name.length + 1)}`);
    },
  };
}

/** A field that has to be there where another has one of these values. */
export function neededWhere(name: string, other: string, values: readonly (string | boolean)[]): Rule {
  const says = `${name} is required with ${other}: ${values.join(', ')}`;
  return {
    says,
    json: {
      if: { required: [other], properties: { [other]: { enum: values } } },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: [name] },
    },
    check: (at) => {
      const value = at.get(other)?.scalar()?.value;
      if (at.get(name) === undefined && values.some((one) => one === value))
        at.problemAt(name, 'required', says);
    },
  };
}

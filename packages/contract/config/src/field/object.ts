import { type Place } from '../place.ts';
import { nearest } from '../nearest.ts';
import { fieldsNotOffered } from '../kind/not-offered.ts';
import { isOwnKey, shownKey } from '../shown-key.ts';
import { written } from './fallback.ts';
import { type Rule } from './rule.ts';
import { type Field, type Fields, type Json, type Of, type Type } from './type.ts';

export type ObjectOptions<All extends Fields> = {
  /** What JSON Schema can say too; they run on what is there, right or wrong. */
  readonly rules?: readonly Rule[];
  /** Names of unknown fields are hidden beside a secret, as a text without its colon may be the secret; false: they are shown. */
  readonly secretive?: boolean;
  /** Runs when every field is right, so nothing is undefined that is required. Reports at `at.at('field', 0)`. */
  readonly check?: (value: Of<All>, at: Place) => void;
};

/** A mapping with these fields and no others. */
export function object<const All extends Fields>(
  fields: All,
  options: ObjectOptions<All> = {},
): Type<Of<All>> {
  let json: Json | undefined;
  return {
    fields,
    says: 'mapping',
    get json() {
      return (json ??= objectJson(fields, options.rules ?? []));
    },
    read: (at) => readObject(at, fields, options),
  };
}

/** JSON Schema of a mapping with these fields. */
export function objectJson(fields: Fields, rules: readonly Rule[]): Json {
  const entries = Object.entries(fields);
  const required = entries.filter(([, { need }]) => need === 'required').map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, { type, about, fallback }]) => [
        name,
        { description: about, ...type.json, ...(fallback === undefined ? {} : { default: fallback }) },
      ]),
    ),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
    ...(rules.length === 0 ? {} : { allOf: rules.map(({ json }) => json) }),
  };
}

/** Reads a mapping in one walk: what is unknown, missing or wrong is reported, all of it. */
export function readObject<All extends Fields>(
  at: Place,
  fields: All,
  { rules = [], check, secretive = !at.isRoot }: ObjectOptions<All>,
  ignored: ReadonlySet<string> = none,
): Of<All> | undefined {
  if (!at.isMapping()) return at.wrongType('a mapping of fields');
  const before = at.reading.problems.count;
  const value: Record<string, unknown> = {};
  const { byName, needed } = planOf(fields);
  at.each((name, place) => {
    const field = byName.get(name);
    if (field !== undefined) {
      const read = field.type.read(place);
      if (read !== undefined) value[name] = read;
    } else if (!ignored.has(name)) reportUnknown(at, name, { fields, secretive });
  });
  for (const [name, field] of needed) {
    if (Object.hasOwn(value, name) || at.get(name) !== undefined) continue;
    if (field.need === 'required') at.problemAt(name, 'required', 'required and missing');
    else if (field.need === 'fallback') value[name] = written(field);
  }
  for (const rule of rules) rule.check(at);
  if (at.reading.problems.count > before) return undefined;
  check?.(value as Of<All>, at);
  return at.reading.problems.count > before ? undefined : (value as Of<All>);
}

const none: ReadonlySet<string> = new Set();

type Plan = {
  readonly byName: ReadonlyMap<string, Field<unknown>>;
  /** Those that mean something when they are left out. */
  readonly needed: readonly (readonly [string, Field<unknown>])[];
};

const plans = new WeakMap<Fields, Plan>();

/** Made when an object with these fields is met for the first time. */
function planOf(fields: Fields): Plan {
  const known = plans.get(fields);
  if (known !== undefined) return known;
  const all = Object.entries(fields);
  const plan = { byName: new Map(all), needed: all.filter(([, { need }]) => need !== 'optional') };
  plans.set(fields, plan);
  return plan;
}

function reportUnknown(
  at: Place,
  name: string,
  { fields, secretive }: { readonly fields: Fields; readonly secretive: boolean },
): void {
  if (fieldsNotOffered.has(name)) {
    at.problemAtKey(name, shownKey(name, at.path), 'not_offered', `${name} is not offered by this version`);
    return;
  }
  const near = nearest(name, Object.keys(fields));
  const hides =
    secretive &&
    near === undefined &&
    !isOwnKey(name) &&
    Object.values(fields).some(({ type }) => type.secret === 'always');
  const shown = hides ? '?' : shownKey(name, at.path);
  const hint = near === undefined || shown === '?' ? '' : `; did you mean ${near}?`;
  at.problemAtKey(
    name,
    shown,
    'unknown_field',
    shown === '?' ? 'unknown field' : `unknown field ${shown}${hint}`,
  );
}

import {
  CelMap,
  celValue,
  compileProgram,
  type Language,
  overload,
  type Program,
  selectorLanguage,
  type Value,
} from '@nodecore/selector/expression';
import {
  type CgroupClass,
  cgroupClasses,
  type CgroupReading,
  type Observation,
  perSecond,
} from '@nodecore/pressure-policy';

/** What a trigger expression is asked about: two moments, and how long ago the policy acted last. */
export type TriggerEnvironment = {
  readonly now: Observation;
  /**
   * Rates are per second of the time between the two, not of what was planned. Without it an expression that asks for
   * one can't be evaluated.
   */
  readonly before: Observation | undefined;
  /** Since the policy's last decision; undefined before the first. */
  readonly sinceTriggerNs: bigint | undefined;
};

export type TriggerExpression = {
  readonly text: string;
  /** Never throws. An expression that can't be evaluated doesn't fire, and says why. */
  evaluate(environment: TriggerEnvironment): { readonly fires: boolean; readonly error?: string };
};

const kinds = ['some', 'full'] as const;
const figures = ['avg10', 'avg60', 'avg300', 'total'] as const;
const resources = ['memory', 'io', 'cpu'] as const;

/** A number in a reading; undefined is not accounted. */
type Figure<T> = (reading: T) => number | undefined;

const machineFigures: ReadonlyMap<string, Figure<Observation>> = new Map(
  resources.flatMap((resource) =>
    kinds.flatMap((kind) =>
      figures.map((figure) => {
        const read: Figure<Observation> = ({ machine }) => {
          const line = machine[resource]?.[kind];
          return figure === 'total' ? line && Number(line.totalUs) : line?.[figure];
        };
        return [`${resource}_${kind}_${figure}`, read] as const;
      }),
    ),
  ),
);

const classFigures: ReadonlyMap<string, Figure<CgroupReading>> = new Map<string, Figure<CgroupReading>>([
  ...kinds.flatMap((kind) =>
    figures.map((figure) => {
      const read: Figure<CgroupReading> = ({ pressure }) => {
        const line = pressure.memory?.[kind];
        return figure === 'total' ? line && Number(line.totalUs) : line?.[figure];
      };
      return [`qos_memory_${kind}_${figure}`, read] as const;
    }),
  ),
  ['qos_memory_current', ({ memoryCurrent }) => memoryCurrent],
  ['qos_memory_peak', ({ memoryPeak }) => memoryPeak],
  ['qos_memory_max', ({ memoryMax }) => (memoryMax === Infinity ? undefined : memoryMax)],
]);

const since = 'time_since_trigger';
/** Longer than any expression compares with: a policy that has not acted yet has not acted for long. */
const neverNs = 1_000_000_000n * 86_400n * 365n;

/** @throws {SelectorError} with the place of the first problem. */
export function compileTrigger(text: string): TriggerExpression {
  const program = compileProgram(triggerLanguage(), text, {
    noun: 'trigger',
    type: 'bool',
    does: 'answers true or false',
  });
  return { text, evaluate: (environment) => evaluate(program, environment) };
}

/** Classes are numbers in expressions. */
export function declareClasses(language: Language): Language {
  for (const [index, name] of cgroupClasses.entries()) language.addConstant(name, 'int', BigInt(index));
  return language;
}

let language: Language | undefined;

function triggerLanguage(): Language {
  if (language !== undefined) return language;
  const numbers = [...machineFigures.keys()].flatMap((name) => [name, `d_${name}`]);
  const vectors = [...classFigures.keys()].flatMap((name) => [name, `d_${name}`]);
  language = declareClasses(selectorLanguage()).addVariable(since, 'duration');
  for (const name of numbers) language.addVariable(name, 'double');
  for (const name of vectors) language.addVariable(name, 'map<int, double>');
  const vector = 'map<int, double>';
  const product = overload(`multiply_qos_vectors(${vector}, ${vector}): double`, ([left, right], budget) => {
    if (!(left instanceof CelMap) || !(right instanceof CelMap)) return 0;
    budget.spend(left.size);
    return multiply(left, right);
  });
  return language.addFunction(product);
}

function evaluate(
  program: Program,
  environment: TriggerEnvironment,
): ReturnType<TriggerExpression['evaluate']> {
  const result = program.run(bindings(environment));
  if ('error' in result) return { fires: false, error: result.error };
  return { fires: result.value === true };
}

function bindings({ now, before, sinceTriggerNs }: TriggerEnvironment): Record<string, Value> {
  const bound: Record<string, Value> = { [since]: celValue.duration(sinceTriggerNs ?? neverNs) };
  for (const [name, figure] of machineFigures) {
    const [value, former] = [figure(now), before && figure(before)];
    // What the kernel doesn't account stays unbound: an expression that asks for it can't be evaluated.
    if (value !== undefined) bound[name] = value;
    if (value === undefined || former === undefined || before === undefined) continue;
    const rate = perSecond(value - former, now.takenNs - before.takenNs);
    if (rate !== undefined) bound[`d_${name}`] = rate;
  }
  const earlier = before && new Map(before.wholes.map((each) => [each.id, each]));
  for (const [name, figure] of classFigures) {
    bound[name] = vector(now, (each) => figure(each));
    if (earlier === undefined) continue;
    bound[`d_${name}`] = vector(now, (each) => {
      const then = earlier.get(each.id);
      const [value, former] = [figure(each), then && figure(then)];
      if (then === undefined || value === undefined || former === undefined) return undefined;
      return perSecond(value - former, each.takenNs - then.takenNs);
    });
  }
  return bound;
}

/** A number for each class: the sum of its cgroups. A class without any has none of it. */
function vector({ wholes }: Observation, figure: Figure<CgroupReading>): CelMap<Value> {
  const sum = (name: CgroupClass): number =>
    wholes.reduce((total, each) => total + (each.class === name ? (figure(each) ?? 0) : 0), 0);
  return celValue.map(cgroupClasses.map((name, index) => [BigInt(index), sum(name)]));
}

/** The sum of the products of what both have. */
function multiply(left: CelMap<Value>, right: CelMap<Value>): number {
  let sum = 0;
  for (const [key, value] of left.entries()) sum += Number(value) * Number(right.get(key) ?? 0);
  return sum;
}

import {
  celValue,
  compileProgram,
  durationType,
  type Language,
  type Program,
  selectorLanguage,
} from '@nodecore/block/expression';
import {
  type CgroupClass,
  cgroupClasses,
  type CgroupReading,
  type Observation,
  perSecond,
} from '@nodecore/cgroup/policy';

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
export function declareClasses(environment: Language['environment']): void {
  for (const [index, name] of cgroupClasses.entries())
    environment.registerConstant(name, 'int', BigInt(index));
}

let language: Language | undefined;

function triggerLanguage(): Language {
  if (language !== undefined) return language;
  const environment = selectorLanguage({ optionals: true });
  declareClasses(environment);
  const numbers = [...machineFigures.keys()].flatMap((name) => [name, `d_${name}`]);
  const vectors = [...classFigures.keys()].flatMap((name) => [name, `d_${name}`]);
  for (const name of numbers) environment.registerVariable(name, 'double');
  for (const name of vectors) environment.registerVariable(name, 'map<int, double>');
  environment.registerVariable(since, durationType);
  environment.registerFunction(
    'multiply_qos_vectors(map<int, double>, map<int, double>): double',
    multiplyVectors,
  );
  const names = [...numbers, ...vectors, since, ...cgroupClasses];
  language = { environment, variables: Object.fromEntries(names.map((name) => [name, []])) };
  return language;
}

function evaluate(
  program: Program,
  environment: TriggerEnvironment,
): ReturnType<TriggerExpression['evaluate']> {
  const result = program.run(bindings(environment));
  if ('error' in result) return { fires: false, error: result.error };
  return { fires: result.value === true };
}

function bindings({ now, before, sinceTriggerNs }: TriggerEnvironment): Record<string, unknown> {
  const bound: Record<string, unknown> = { [since]: celValue.duration(sinceTriggerNs ?? neverNs) };
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
function vector({ wholes }: Observation, figure: Figure<CgroupReading>): ReadonlyMap<bigint, number> {
  const sum = (name: CgroupClass): number =>
    wholes.reduce((total, each) => total + (each.class === name ? (figure(each) ?? 0) : 0), 0);
  return new Map(cgroupClasses.map((name, index) => [BigInt(index), sum(name)]));
}

/** A map of a literal is an object whose keys are texts, one of ours is a Map. */
type Vector = ReadonlyMap<bigint, number> | Readonly<Record<string, number>>;

/** The sum of the products of what both have. */
function multiplyVectors(left: Vector, right: Vector): number {
  const other = new Map(entriesOf(right));
  return entriesOf(left).reduce((sum, [key, value]) => sum + value * (other.get(key) ?? 0), 0);
}

function entriesOf(vector: Vector): (readonly [string, number])[] {
  const entries = vector instanceof Map ? [...vector.entries()] : Object.entries(vector);
  return entries.map(([key, value]) => [String(key), Number(value)]);
}

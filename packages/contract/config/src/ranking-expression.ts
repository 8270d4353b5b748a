import {
  celValue,
  compileProgram,
  type Language,
  selectorLanguage,
  type Value,
} from '@nodecore/selector/expression';
import { type Candidate, cgroupClasses, type Ranking } from '@nodecore/pressure-policy';

import { declareClasses } from './trigger-expression.ts';

export type RankingExpression = {
  readonly text: string;
  /** Never throws. */
  rank(candidate: Candidate): Ranking;
};

type Field = readonly [type: string, value: (candidate: Candidate) => Value];

/** Bytes; without a value where there is no limit, and where the kernel doesn't say. */
function bytes(read: (candidate: Candidate) => number | undefined): Field {
  return [
    'optional<uint>',
    (candidate) => {
      const value = read(candidate);
      const known = value !== undefined && Number.isFinite(value);
      return celValue.optional(known ? celValue.uint(Math.trunc(value)) : undefined);
    },
  ];
}

/** A number that the kernel perhaps doesn't account. */
function double(read: (candidate: Candidate) => number | undefined): Field {
  return ['optional<double>', (candidate) => celValue.optional(read(candidate))];
}

const fields: Readonly<Record<string, Field>> = {
  memory_current: bytes(({ memoryCurrent }) => memoryCurrent),
  memory_peak: bytes(({ memoryPeak }) => memoryPeak),
  memory_max: bytes(({ memoryMax }) => memoryMax),
  memory_swap_current: bytes(({ memorySwapCurrent }) => memorySwapCurrent),
  d_memory_current: double(({ memoryGrowth }) => memoryGrowth),
  memory_some_avg10: double(({ pressure }) => pressure.memory?.some?.avg10),
  memory_full_avg10: double(({ pressure }) => pressure.memory?.full?.avg10),
  io_some_avg10: double(({ pressure }) => pressure.io?.some?.avg10),
  io_full_avg10: double(({ pressure }) => pressure.io?.full?.avg10),
  cpu_some_avg10: double(({ pressure }) => pressure.cpu?.some?.avg10),
  cpu_full_avg10: double(({ pressure }) => pressure.cpu?.full?.avg10),
  class: ['int', (candidate) => BigInt(cgroupClasses.indexOf(candidate.class))],
  path: ['string', ({ path }) => path],
};

/** @throws {SelectorError} with the place of the first problem. */
export function compileRanking(text: string): RankingExpression {
  const program = compileProgram(rankingLanguage(), text, {
    noun: 'ranking',
    type: 'double',
    does: 'is a double',
  });
  return {
    text,
    rank: (candidate) => {
      const bindings = Object.entries(fields).map(([name, [, value]]) => [name, value(candidate)] as const);
      const result = program.run(Object.fromEntries(bindings));
      return 'error' in result ? result : { score: Number(result.value) };
    },
  };
}

let language: Language | undefined;

function rankingLanguage(): Language {
  if (language !== undefined) return language;
  language = selectorLanguage();
  for (const [name, [type]] of Object.entries(fields)) language.addVariable(name, type);
  return declareClasses(language);
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Json, Store } from '@nodecore/state';
import { codeOf, writeFileAtomic } from '@nodecore/sys';
import { Serial } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import { pressureDecisions } from './definitions.ts';
import { kindOf } from '../resources/definitions.ts';
import type { Decision, DecisionFacts } from './decision.ts';

export type DecisionsParts = {
  readonly store: Store;
  readonly log: Log;
  /** Where the node keeps its state; asked at each access. */
  readonly directory: () => Promise<string>;
};

const owner = 'pressure';
/** The last decisions that are kept. */
const maxKept = 50;
const digits = 6;

/** The last decisions of all policies, as resources; kept over a restart of the agent and of the node. */
export class Decisions {
  readonly #parts: DecisionsParts;
  readonly #turn = new Serial();
  #decisions: readonly Decision[] = [];
  #last = 0;
  #loaded = false;
  #isQueued = false;
  /** Changes of decisions that are not read yet. */
  readonly #early = new Map<string, Partial<DecisionFacts>>();

  constructor(parts: DecisionsParts) {
    this.#parts = parts;
  }

  /** Takes up those of earlier runs, once. What can't be read costs the history alone. */
  async load(): Promise<void> {
    if (this.#loaded) return;
    try {
      const value: unknown = JSON.parse(await readFile(await this.#path(), 'utf8'));
      const known = Array.isArray(value) ? value.filter((each) => isDecision(each)) : [];
      this.#decisions = known.map((each) => ended({ ...each, ...this.#early.get(each.id) }));
      this.#last = Math.max(0, ...known.map(({ id }) => Number(id)));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT')
        this.#parts.log.warn({ err: error }, 'decisions of before can not be read');
    }
    this.#loaded = true;
    this.#publish();
    if (this.#early.size > 0) this.#save();
    this.#early.clear();
  }

  get all(): readonly Decision[] {
    return this.#decisions;
  }

  add(facts: DecisionFacts): Decision {
    const former = this.#decisions.findLast(({ policy }) => policy === facts.policy);
    // A machine that is short of memory and has no victim would push out all that is worth knowing.
    if (facts.outcome === 'noVictim' && former?.outcome === 'noVictim') {
      const { time } = former;
      const again = { ...facts, id: former.id, time, lastTime: facts.time, count: (former.count ?? 1) + 1 };
      this.#replace(again);
      return again;
    }
    this.#last += 1;
    const decision = { ...facts, id: String(this.#last).padStart(digits, '0') };
    this.#decisions = [...this.#decisions, decision].slice(-maxKept);
    this.#publish();
    this.#save();
    return decision;
  }

  /** What became of it. One that fell out of the history is forgotten. */
  update(id: string, change: Partial<DecisionFacts>): void {
    if (!this.#loaded) this.#early.set(id, { ...this.#early.get(id), ...change });
    const current = this.#decisions.find((each) => each.id === id);
    if (current === undefined) return;
    const changed = { ...current, ...change };
    this.#replace(current.outcome === 'unknown' ? ended(changed) : changed);
  }

  /** Resolves when all is written. */
  async settled(): Promise<void> {
    await this.#turn.run(async () => {});
  }

  #replace(decision: Decision): void {
    this.#decisions = this.#decisions.map((each) => (each.id === decision.id ? decision : each));
    this.#publish();
    this.#save();
  }

  #publish(): void {
    const specs = new Map(this.#decisions.map(({ id, ...spec }) => [id, spec satisfies Json]));
    this.#parts.store.replace(kindOf(pressureDecisions), specs, owner);
  }

  /** Not waited for: the disk may be what is under pressure. */
  #save(): void {
    if (this.#isQueued) return; // it writes the state of the moment when its turn comes
    this.#isQueued = true;
    void this.#turn.run(async () => {
      this.#isQueued = false;
      try {
        const text = `${JSON.stringify(this.#decisions, decimal, 2)}\n`;
        await writeFileAtomic(await this.#path(), text);
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'decisions can not be written');
      }
    });
  }

  async #path(): Promise<string> {
    return join(await this.#parts.directory(), 'pressure-decisions.json');
  }
}

function decimal(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

/**
 * The run of the agent that would have told the outcome is over. What is undone as it was recorded had been done; of what is gone,
 * or was changed, nobody knows.
 */
function ended(decision: Decision): Decision {
  const { outcome, released } = decision;
  if (outcome !== 'acting' && outcome !== 'unknown') return decision;
  const isKnown = released !== undefined && released.reason !== 'gone' && released.reason !== 'changed';
  if (!isKnown)
    return { ...decision, outcome: 'unknown', errorMessage: 'the agent ended before it was known' };
  const { errorMessage: _none, ...rest } = decision;
  return { ...rest, outcome: 'done' };
}

function isDecision(value: unknown): value is Decision {
  if (typeof value !== 'object' || value === null) return false;
  const { id, time, policy, outcome, action } = value as Partial<Decision>;
  const texts = [time, policy, outcome, action];
  return /^\d+$/.test(String(id)) && texts.every((text) => typeof text === 'string');
}

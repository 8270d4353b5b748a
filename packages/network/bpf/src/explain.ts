import { addressAt } from './address.ts';
import { type Condition, not } from './condition.ts';
import { decisionsOf } from './decision.ts';
import { type Explained, layOut } from './lay-out.ts';
import { type Known, layersOf } from './layers.ts';
import { linkType } from './link-type.ts';
import { print } from './print.ts';
import type { Program } from './program.ts';
import { simplify } from './simplify.ts';
import { outcomesOf } from './structure.ts';
import { nameOf, testInWords } from './words.ts';

/** What a program accepts. */
export type Explanation = {
  /** For people, in lines of up to about 100 columns. */
  readonly text: string;
  /** One for each number of bytes that the program returns, 0 apart; empty when it accepts nothing. */
  readonly outcomes: readonly Outcome[];
  /** False when the program has too many ways to be put in words: then the text is its disassembly. */
  readonly complete: boolean;
};

export type Outcome = {
  /** How many bytes of the packet it wants; undefined when that depends on the packet, as `wants` says. */
  readonly bytes: number | undefined;
  readonly wants: string;
  readonly when: Explained;
};

/** More tests than this nobody reads. */
const maxTests = 500;

class TooLong extends Error {}

/**
 * Says in words what a program accepts, naming the fields of Ethernet, IP and what is above them.
 *
 * @param options.linkType what packets begin with; `EN10MB`, Ethernet, by default.
 * @throws {BpfError} `ERR_BPF_LINK_TYPE`
 */
export function explain(program: Program, options: { readonly linkType?: string } = {}): Explanation {
  const { name } = linkType(options.linkType ?? 'EN10MB');
  try {
    const outcomes = outcomesInWords(program, new Speaker(name));
    const text = outcomes.length === 0 ? 'accepts nothing' : outcomes.map(outcomeText).join('\n');
    return { text, outcomes, complete: true };
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    return { text: print(program, 'disassembly').trimEnd(), outcomes: [], complete: false };
  }
}

function outcomesInWords(program: Program, speaker: Speaker): readonly Outcome[] {
  const decisions = decisionsOf(program);
  if (decisions === undefined) throw new TooLong();
  const budget = { tests: maxTests * 20 };
  return [...outcomesOf(decisions)].flatMap(([leaf, condition]) => {
    if (leaf.kind !== 'return' || (leaf.value.kind === 'constant' && leaf.value.value === 0)) return [];
    const bytes = leaf.value.kind === 'constant' ? leaf.value.value : undefined;
    const wants = bytes === undefined ? `as many bytes as ${nameOf(leaf.value, [])}` : `up to ${bytes} bytes`;
    const simple = simplify(condition, new Map(), budget);
    if (simple === undefined) throw new TooLong();
    return [{ bytes, wants, when: speaker.say(simple, []) }];
  });
}

/** Puts conditions in words, naming fields by what is known where a test is made. */
class Speaker {
  readonly #linkType: string;
  #tests = 0;

  constructor(linkType: string) {
    this.#linkType = linkType;
  }

  say(condition: Condition, known: Known): Explained {
    if (condition.kind === 'all') return this.#sayAll(condition.of, known);
    if (condition.kind === 'any') {
      // What stands behind an `or` is asked where everything before it failed.
      const failed = (index: number) => condition.of.slice(0, index).map(not);
      return {
        kind: 'any',
        of: condition.of.map((part, index) => this.say(part, [...known, ...failed(index)])),
      };
    }
    if (condition.kind !== 'test') return { kind: condition.kind };
    this.#count();
    const layers = layersOf(this.#linkType, known);
    const text =
      addressAt([condition], 0, layers)?.text ?? testInWords(condition.test, condition.negated, layers);
    return { kind: 'test', text };
  }

  #sayAll(of: readonly Condition[], known: Known): Explained {
    const said: Explained[] = [];
    for (let index = 0; index < of.length;) {
      const now = [...known, ...of.slice(0, index)];
      const address = addressAt(of, index, layersOf(this.#linkType, now));
      const part = of[index];
      if (address !== undefined) {
        this.#count();
        said.push({ kind: 'test', text: address.text });
      } else if (part !== undefined) {
        said.push(this.say(part, now));
      }
      index += address?.used ?? 1;
    }
    const [first] = said;
    return said.length === 1 && first !== undefined ? first : { kind: 'all', of: said };
  }

  #count(): void {
    this.#tests += 1;
    if (this.#tests > maxTests) throw new TooLong();
  }
}

function outcomeText({ wants, when }: Outcome): string {
  if (when.kind === 'always') return `accepts every packet, ${wants}`;
  return [`accepts a packet, ${wants}, if`, ...layOut(when, '  ')].join('\n');
}

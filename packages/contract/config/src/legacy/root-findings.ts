import { isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';

import { type Finding, type Findings, type PathStep } from '../problems.ts';
import { rootIdentity, type SourceDocument } from '../source.ts';

/**
 * Findings of a document that fields of the root make: where they stand in the root, they are shown by the path there. What its own
 * description has found at the same place is not said again.
 */
export class RootFindings implements Findings {
  readonly #findings: Findings;
  readonly #root: SourceDocument;
  readonly #isQuiet: boolean;
  #quiet = 0;

  constructor(findings: Findings, root: SourceDocument, isQuiet: boolean) {
    this.#findings = findings;
    this.#root = root;
    this.#isQuiet = isQuiet;
  }

  get text(): string {
    return this.#findings.text;
  }

  get count(): number {
    return this.#findings.count + this.#quiet;
  }

  has(code: string, offset: number): boolean {
    return this.#findings.has(code, offset);
  }

  add(finding: Finding): void {
    const own = this.#inRoot(finding);
    // It counts for the reader behind it, also where it is known already, or nobody wants to know.
    if (own !== finding && (this.#isQuiet || this.has(finding.code, finding.offset))) this.#quiet += 1;
    else this.#findings.add(own);
  }

  warn(finding: Finding): void {
    // Of each of its kind the root says it by itself.
    if (finding.code !== 'kind.no_effect') this.#findings.warn(this.#inRoot(finding));
  }

  #inRoot(finding: Finding): Finding {
    const [from, , to] = this.#root.map.range ?? [0, 0, 0];
    if (finding.offset < from || finding.offset >= to) return finding;
    return { ...finding, document: rootIdentity, path: pathAt(this.#root.map, finding.offset) };
  }
}

/** The path of the value that stands at an offset. */
export function pathAt(map: YAMLMap, offset: number): readonly PathStep[] {
  const steps: PathStep[] = [];
  let node: unknown = map;
  for (;;) {
    const found = stepAt(node, offset);
    if (found === undefined) return steps;
    steps.push(found.step);
    // The field itself is meant, not what is in it.
    if (offset <= start(found.value)) return steps;
    node = found.value;
  }
}

type Step = { readonly step: PathStep; readonly value: unknown };

function stepAt(node: unknown, offset: number): Step | undefined {
  if (isSeq(node)) {
    const index = node.items.findLastIndex((item) => start(item) <= offset);
    return index === -1 ? undefined : { step: index, value: node.items[index] };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.findLast(({ key }) => start(key) <= offset);
  return pair === undefined
    ? undefined
    : { step: isScalar(pair.key) ? String(pair.key.value) : '', value: pair.value };
}

function start(node: unknown): number {
  return (node as Node | null | undefined)?.range?.[0] ?? Infinity;
}

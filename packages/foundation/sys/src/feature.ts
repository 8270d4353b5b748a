/** What a probe found out. "Could not tell" is neither: the probe throws. */
export type FeatureState =
  | { readonly supported: true }
  | { readonly supported: false; readonly missing: string };

/**
 * A question to this machine that is asked once. Only conclusive answers are kept: a probe that throws is asked
 * again by the next caller.
 */
export class Feature {
  readonly name: string;
  readonly #probe: () => Promise<FeatureState>;
  #answer: FeatureState | undefined;

  /** @param probe answers, with what would provide the feature when it is missing, or throws when it can't tell. */
  constructor(name: string, probe: () => Promise<FeatureState>) {
    this.name = name;
    this.#probe = probe;
  }

  async state(): Promise<FeatureState> {
    this.#answer ??= await this.#probe();
    return this.#answer;
  }
}

/** What a selector says of one disk or volume. */
type SelectorAnswer = { readonly matched: boolean; readonly error?: string };

/**
 * Asks a selector. Selectors don't throw; should one do so all the same, then that is its answer for this one disk: a
 * volume also asks the selectors of others, and must not fail with them.
 */
export function asked(ask: () => SelectorAnswer): SelectorAnswer {
  try {
    return ask();
  } catch (error) {
    return { matched: false, error: error instanceof Error ? error.message : String(error) };
  }
}

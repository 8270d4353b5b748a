/** Something that works and that the author of a configuration would want to know. */
export type Warning = {
  /** `file:line:column`, or the node. */
  readonly place: string;
  /** The document, where the place does not say it. */
  readonly document?: string;
  readonly message: string;
};

/**
 * A line for each warning. Those that say the same of several places are one line at the first of them, which counts the others,
 * unless all are wanted: a generated configuration has some twenty documents that the node keeps and does not act on.
 */
export function warningLines(warnings: readonly Warning[], isVerbose: boolean): readonly string[] {
  const groups = isVerbose
    ? warnings.map((one) => [one])
    : Map.groupBy(warnings, ({ message }) => message).values();
  return [...groups].map(([first, ...others]) => {
    const more =
      others.length === 0
        ? ''
        : `; ${others.length} more ${others.length === 1 ? 'says' : 'say'} the same: --verbose names them`;
    const document = first?.document === undefined ? '' : `${first.document}: `;
    return `${first?.place}: warning: ${document}${first?.message}${more}\n`;
  });
}

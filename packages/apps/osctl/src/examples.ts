/** What the help of a command ends with: lines that a test parses, and runs where that changes nothing. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

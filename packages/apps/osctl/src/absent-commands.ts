/** Commands of the interface, and their aliases, that this version does not have: what does the like here, if anything. */
export const absentCommands: Readonly<Record<string, string>> = {
  'upgrade-orch': '',
  orchconfig: '',
  conformance: '',
};

/** What to say of a command that this version does not have; undefined for one that nobody knows. */
export function absenceOf(path: string): string | undefined {
  if (!Object.hasOwn(absentCommands, path)) return undefined;
  const instead = absentCommands[path]!;
  return `${path} is not in this version${instead === '' ? '' : `; ${instead}`}`;
}

import type { ProgramDefinition } from './program-definition.ts';

export type Absences = Pick<ProgramDefinition, 'absent'>;

/** What to say of a command that this version does not have; undefined for one that nobody knows. */
export function absenceOf(path: string, { absent = {} }: Absences): string | undefined {
  return Object.hasOwn(absent, path) ? `${path} is not in this version; ${absent[path]}` : undefined;
}

/** A line of the help text for each reason; none when nothing is absent. */
export function absenceLines({ absent = {} }: Absences): readonly string[] {
  const byReason = Map.groupBy(Object.entries(absent), ([, reason]) => reason);
  return Array.from(
    byReason,
    ([reason, commands]) => `Not in this version: ${commands.map(([path]) => path).join(', ')}; ${reason}.`,
  );
}

/** Fields of the interface that this version knows and does not serve everywhere: named in problems instead of called unknown. */
export const fieldsNotOffered: ReadonlySet<string> = new Set(['scrub']);

/**
 * The same value, with a `toJSON` that writes 64-bit numbers as decimal text, as LUKS2 itself does: JSON has none of
 * them, and `JSON.stringify` throws at one. Nothing else shows that it is there.
 */
export function withJsonText<T extends object>(value: T): T {
  const toJSON = (): unknown =>
    Object.fromEntries(
      Object.entries(value).map(([name, member]: [string, unknown]) => [
        name,
        typeof member === 'bigint' ? String(member) : member,
      ]),
    );
  return Object.defineProperty(value, 'toJSON', { value: toJSON });
}

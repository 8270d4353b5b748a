/** Names, and nothing else: in JSON that parses, only they are strings before a colon. */
const names = /"(?:[^"\\]|\\.)*"\s*:/g;

/**
 * The fields of a JSON object that holds no other object. Undefined for anything else, and when a name is there twice: it would mean one
 * thing here, and another thing to another reader.
 */
export function readFlatObject(text: string): Readonly<Record<string, unknown>> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const count = text.match(names)?.length ?? 0;
  return Object.keys(value).length === count ? (value as Record<string, unknown>) : undefined;
}

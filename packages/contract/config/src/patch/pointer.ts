/** The steps of a JSON Pointer (RFC 6901); undefined when it is none, or means the whole. */
export function parsePointer(text: string): readonly string[] | undefined {
  if (!text.startsWith('/') || /~(?![01])/u.test(text)) return undefined;
  return text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

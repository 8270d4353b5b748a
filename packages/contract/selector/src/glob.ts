/**
 * Whether `subject` is what `pattern` describes. Only `*` is special (any run of characters, also none); letters count
 * as written. Takes time linear in the subject for each part of the pattern.
 */
export function glob(pattern: string, subject: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return subject === pattern;
  if (!subject.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const found = subject.indexOf(part, from);
    if (found === -1) return false;
    from = found + part.length; // the leftmost fit leaves the most room for what follows
  }
  return subject.length - last.length >= from && subject.endsWith(last);
}

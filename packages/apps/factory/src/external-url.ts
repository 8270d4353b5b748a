/** Where clients reach a factory, as it was written: no credentials, nothing behind the path. Undefined for anything else. */
export function externalUrlOf(text: string): string | undefined {
  const found = URL.parse(text);
  const isPlain =
    found !== null &&
    /^https?:$/.test(found.protocol) &&
    found.search === '' &&
    found.hash === '' &&
    found.username === '' &&
    found.password === '';
  return isPlain ? text : undefined;
}

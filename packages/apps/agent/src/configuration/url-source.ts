/** What stands for the variables of a URL; undefined while the machine does not know it. */
export type UrlFacts = Readonly<
  Record<'uuid' | 'serial' | 'mac' | 'hostname' | 'code', () => Promise<string | undefined>>
>;

/** A server that has said nothing for so long is asked again later. */
const answerMs = 10_000;

/**
 * The URL with `${uuid}`, `${serial}`, `${mac}`, `${hostname}` and `${code}` replaced; nothing of a value is more than text in it.
 *
 * @throws {TypeError} for another variable, one that the machine does not know, and what is no URL of http or https then.
 */
export async function configurationUrl(template: string, facts: UrlFacts): Promise<URL> {
  let text = '';
  let at = 0;
  for (const { 0: whole, 1: name = '', index } of template.matchAll(/\$\{([^}]*)\}/gu)) {
    if (!Object.hasOwn(facts, name)) throw new TypeError(`os.config has \${${name}}, which there is not`);
    const value = await facts[name as keyof UrlFacts]();
    if (value === undefined || value === '')
      throw new TypeError(`the machine does not know its \${${name}} yet`);
    text += template.slice(at, index) + encodeURIComponent(value);
    at = index + whole.length;
  }
  text += template.slice(at);
  if (!URL.canParse(text) || !/^https?:$/u.test(new URL(text).protocol))
    throw new TypeError('os.config is no URL of http or https');
  return new URL(text);
}

/**
 * The bytes that a URL leads to. Errors name the server and not the URL, which may hold a secret.
 *
 * @throws {Error} when nobody answers, with something else than 200, or with more than `longestBytes`.
 */
export async function download(url: URL, longestBytes: number): Promise<Uint8Array> {
  const { username, password } = url;
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const headers = username === '' ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
  let response: Response;
  try {
    response = await fetch(bare, { headers, signal: AbortSignal.timeout(answerMs) });
  } catch (cause) {
    throw new Error(`${url.host} does not answer: ${reasonOf(cause)}`, { cause });
  }
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${url.host} answers with ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > longestBytes) throw new Error(`${url.host} sends more than ${longestBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function reasonOf(error: unknown): string {
  const { cause = error } = error instanceof Error ? error : {};
  const { code, name } = (cause ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'it failed';
}

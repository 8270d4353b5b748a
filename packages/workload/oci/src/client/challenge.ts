/** How a registry wants to be asked: by name and password, or by a token that somebody else gives. */
export type Challenge =
  | { readonly scheme: 'basic' }
  | {
      readonly scheme: 'bearer';
      readonly realm: URL;
      readonly service: string | undefined;
      readonly scope: string | undefined;
    };

/** Reads a `WWW-Authenticate` header; undefined when it has no challenge that we can meet. */
export function parseChallenge(header: string): Challenge | undefined {
  const bearer = /(?:^|,\s*)Bearer\s+(?<fields>.*)$/i.exec(header)?.groups?.['fields'];
  if (bearer === undefined) return /(?:^|,\s*)Basic\b/i.test(header) ? { scheme: 'basic' } : undefined;
  const fields = new Map<string, string>();
  for (const { groups } of bearer.matchAll(/(?<name>\w+)=(?:"(?<quoted>[^"]*)"|(?<token>[^\s,"]+))/g))
    fields.set((groups?.['name'] ?? '').toLowerCase(), groups?.['quoted'] ?? groups?.['token'] ?? '');
  const realm = URL.parse(fields.get('realm') ?? '');
  return realm === null
    ? undefined
    : { scheme: 'bearer', realm, service: fields.get('service'), scope: fields.get('scope') };
}

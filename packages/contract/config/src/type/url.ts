import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { secretMaybe } from '../field/secret.ts';
import { type Type } from '../field/type.ts';

export type UrlOptions = {
  /** Nothing behind the host and port. */
  readonly bare?: boolean;
  /** A port has to be there. */
  readonly port?: boolean;
};

/** An absolute URL with a host, of one of these schemes. It may hold a password, so it is hidden where others look. */
export function url(schemes: readonly string[], { bare = false, port = false }: UrlOptions = {}): Type<URL> {
  const example = `${schemes[0]}://host${port ? ':port' : ''}`;
  return secretMaybe(
    parsed('a URL', {
      json: { pattern: `^(?:${schemes.join('|')})://.+` },
      parse: (text) => {
        const found = URL.canParse(text) ? new URL(text) : undefined;
        const scheme = found?.protocol.slice(0, -1);
        if (found === undefined || scheme === undefined || !schemes.includes(scheme) || found.hostname === '')
          return new Mistake('url.invalid', `must be a URL with ${schemes.join(' or ')}, such as ${example}`);
        // What a program of the node gets must be what was written: the parser drops line breaks and blanks.
        if (/[\s\p{Cc}]/u.test(text))
          return new Mistake('url.invalid', 'holds a blank or a control character');
        if (port && !/:\d+\/?$/u.test(text)) return new Mistake('url.port', `must have a port: ${example}`);
        if (bare && (!['', '/'].includes(found.pathname) || found.search !== '' || found.hash !== ''))
          return new Mistake('url.path', 'must end behind the host and port');
        return found;
      },
    }),
  );
}

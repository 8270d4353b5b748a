/**
 * What a request names, as everything here looks at it: from the path on. Who names the whole address, as clients of proxies do, asks for
 * the same (RFC 9112, 3.2.2). Nothing of the path is resolved or decoded.
 *
 * @returns undefined for what is no address of a server: one without a host, or with the name of who asks (RFC 9110, 4.2).
 */
export function originForm(target: string): string | undefined {
  if (target.startsWith('/')) return target;
  const { authority = '', rest = '' } = absolute.exec(target)?.groups ?? {};
  if (!URL.canParse(`http://${authority}/`)) return undefined;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

const absolute = /^https?:\/\/(?<authority>[^/?#@\\]+)(?<rest>[/?].*)?$/i;

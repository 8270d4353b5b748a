import { request as requestHttps } from 'node:https';
import { connect } from 'node:net';
import { rootCertificates } from 'node:tls';

import { codeOf } from '@nodecore/sys';
import { request as requestHttp } from '@nodecore/sys/http';
import { onAbort } from '@nodecore/waiting';

/** What a probe tries. */
export type ProbeTarget =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'http'; readonly url: string };

/**
 * Tries once. A web server answers with a status of 200 to 399; redirects are not followed, and its certificate has to be
 * trusted.
 *
 * @param authorities PEM, trusted beside those that Node.js trusts.
 * @returns why it failed, in words without the URL; undefined when it did not.
 */
export async function attempt(
  target: ProbeTarget,
  signal: AbortSignal,
  authorities: readonly string[] = [],
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const failed = (error: Error): void => resolve(codeOf(error) ?? error.name);
  const trying =
    target.kind === 'tcp'
      ? connect(target.port, target.host, () => resolve(undefined))
      : begin(target.url, authorities, (status) =>
          resolve(status >= 200 && status < 400 ? undefined : `HTTP ${status}`),
        );
  trying.on('error', failed);
  try {
    using _listener = onAbort(signal, () =>
      resolve(signal.reason instanceof Error ? signal.reason.message : 'aborted'),
    );
    return await promise;
  } finally {
    trying.destroy();
  }
}

function begin(
  url: string,
  authorities: readonly string[],
  answered: (status: number) => void,
): ReturnType<typeof requestHttp> {
  // No agent: what a probe learns must be of now, not of a connection from before.
  const options = { method: 'GET', agent: false, headers: { 'user-agent': 'nodecore-probe' } } as const;
  const trusted = { ca: [...rootCertificates, ...authorities] };
  const asked = url.startsWith('https:')
    ? requestHttps(url, { ...options, ...trusted })
    : requestHttp(url, options);
  asked.on('response', (response) => {
    response.resume();
    answered(response.statusCode ?? 0);
  });
  asked.end();
  return asked;
}

import { isIPv6 } from 'node:net';

import { codeOf } from '@nodecore/sys';

import type { CertificateWish, requestCertificate, SignedCertificate } from './request-certificate.ts';

/** Where a worker has its certificate signed: by its configuration, or because a control plane that signed has named it. */
export type Candidate = {
  /** IPv6 in brackets. */
  readonly host: string;
  readonly from: 'endpoint' | 'controlPlane';
};

/** One that was asked. */
export type Attempt = Candidate & {
  /** Empty: it has signed. */
  readonly reason: string;
};

/** All that a worker knows, in the order in which they are asked: what the configuration says comes first. */
export function candidatesOf(endpoint: string, told: readonly string[] = []): readonly Candidate[] {
  const others = told.map((address) => (isIPv6(address) ? `[${address}]` : address));
  return [
    { host: endpoint, from: 'endpoint' },
    ...others.filter((host) => host !== endpoint).map((host) => ({ host, from: 'controlPlane' }) as const),
  ];
}

export type Asked = {
  /** Undefined when none of them has signed, or `isOver` said that nothing is wanted any more. */
  readonly signed: SignedCertificate | undefined;
  /** In the order in which they were asked. */
  readonly attempts: readonly Attempt[];
};

/**
 * Asks one control plane after the other, until one signs. Whatever is wrong with one, another may not have: it may be down, of
 * a configuration from before, or have too much to do.
 */
export async function askInTurn(
  candidates: readonly Candidate[],
  { request, isOver }: { readonly request: typeof requestCertificate; readonly isOver: () => boolean },
  wish: Omit<CertificateWish, 'host'>,
  signal: AbortSignal,
): Promise<Asked> {
  const attempts: Attempt[] = [];
  for (const candidate of candidates) {
    if (isOver()) break; // the key and the token may be gone
    try {
      const signed = await request({ ...wish, host: candidate.host }, signal);
      return { signed, attempts: [...attempts, { ...candidate, reason: '' }] };
    } catch (error) {
      if (codeOf(error) === undefined || signal.aborted) throw error;
      attempts.push({ ...candidate, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { signed: undefined, attempts };
}

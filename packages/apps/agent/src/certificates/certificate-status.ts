import { readCertificate } from '@nodecore/pki';
import type { Json } from '@nodecore/state';

import type { Attempt } from './control-planes.ts';

/** How the certificate of the node API stands. */
export type CertificateStatus = {
  /** PEM; undefined while only a throw-away certificate is shown. */
  readonly crt: string | undefined;
  /** Whose key has signed it. */
  readonly signedBy: 'node' | 'controlPlane';
  /** Names that were asked for and are not in it. */
  readonly withheld: readonly { readonly name: string; readonly reason: string }[];
  /** Whom the node has asked last, in this order. */
  readonly asked: readonly Attempt[];
  /** What the next one waits for; empty: for its time. */
  readonly reason: string;
};

/** The status as a resource. */
export function certificateSpec(status: CertificateStatus, nowMs: number): Json {
  const { crt, signedBy, withheld, asked, reason } = status;
  const shown = crt === undefined ? undefined : readCertificate(crt);
  return {
    phase: shown === undefined ? 'waiting' : nowMs < shown.validToDate.getTime() ? 'ready' : 'expired',
    signedBy,
    ...(shown !== undefined && {
      names: (shown.subjectAltName ?? '')
        .split(', ')
        .map((name) => name.replace(/^(?:DNS|IP Address):/u, '')),
      notBefore: shown.validFromDate.toISOString(),
      notAfter: shown.validToDate.toISOString(),
    }),
    withheld: withheld.map(({ name, reason: why }) => ({ name, reason: why })),
    ...(asked.length > 0 && {
      asked: asked.map(({ host, from, reason: why }) => ({ controlPlane: host, from, reason: why })),
    }),
    reason,
  };
}

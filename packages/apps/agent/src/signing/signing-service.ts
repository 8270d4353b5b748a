import {
  type CertificateRequest,
  type CertificateResponseInit,
  SecurityService,
  type SecurityServiceHandlers,
} from '@nodecore/api/security';
import { codeOf } from '@nodecore/sys';

import { type CallContext, unary } from '../server/handlers.ts';
import { hostOf } from '../server/peer.ts';
import { type ServiceOptions, servicePart, type ServicePart } from '../server/service-part.ts';
import type { Signer } from './signer.ts';

/** What workers call. Each certificate that is signed, and each that is not, is in the audit. */
export function signingService(signer: Pick<Signer, 'sign'>, options: ServiceOptions): ServicePart {
  const { log, audit } = options;
  const write = (level: 'info' | 'warn', fields: Readonly<Record<string, unknown>>): void => {
    const record = { action: 'sign-certificate', ...fields };
    log[level]({ audit: true, ...record }, 'audit');
    audit?.write(record, level === 'warn'); // anybody may be refused: that must not fill the files
  };
  return servicePart<SecurityServiceHandlers>(SecurityService, {
    certificate: unary(
      options,
      async (request: CertificateRequest, { peer }: CallContext): Promise<CertificateResponseInit> => {
        try {
          const { response, key, names } = await signer.sign(request, hostOf(peer));
          write('info', { peer, key, names, withheld: response.withheld, outcome: 'done' });
          return response;
        } catch (error) {
          write('warn', { peer, outcome: 'denied', code: codeOf(error) ?? 'none' });
          throw error;
        }
      },
    ),
  });
}

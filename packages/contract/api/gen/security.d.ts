// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  CertificateRequest,
  type CertificateRequestInit,
  CertificateTerms,
  type CertificateTermsInit,
  CertificateResponse,
  type CertificateResponseInit,
  WithheldName,
  type WithheldNameInit,
  SecurityService,
  type SecurityServiceHandlers,
} from './nodecore-v1.js';

// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
export {
  CertificateRequest,
  CertificateTerms,
  CertificateResponse,
  WithheldName,
  SecurityService,
} from './nodecore-v1.js';

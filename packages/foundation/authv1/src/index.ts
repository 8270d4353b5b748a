export { isSigned, readCall, verifyCall, type SignedCall } from './call.ts';
export { Authv1Error, type Authv1ErrorCode } from './errors.ts';
export {
  payloadHeader,
  signatureHeader,
  signedHeaders,
  timestampHeader,
  type HeaderReader,
} from './headers.ts';
export { keyPath, keysDirectory, loadKey, saveKey, type KeyOwner, type KeysLocation } from './key-file.ts';
export {
  emailOf,
  generateSigningKey,
  readSigningKey,
  readVerifyingKey,
  type KeyRequest,
  type SigningKey,
  type VerifyingKey,
} from './keys.ts';
export { type CallHeaders } from './payload.ts';
export {
  decodeServiceAccount,
  encodeServiceAccount,
  serviceAccountIdentity,
  serviceAccountVariable,
  type ServiceAccount,
} from './service-account.ts';
export { signCall, type CallToSign } from './sign.ts';
export { maxSkewMs } from './skew.ts';

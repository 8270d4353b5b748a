/** UEFI: PE files, Authenticode, signature lists, variables and their stores. Libraries of certificates load at the first signature. */
export { signPe } from './authenticode/sign.ts';
export { type Databases, verifyPe } from './authenticode/verify.ts';
export { type BootOptionRequest, type BootOptionResult, ensureBootOption } from './boot/boot-options.ts';
export { type BootFile } from './boot/device-path.ts';
export { encodeLoadOption, type LoadOption, parseLoadOption } from './boot/load-option.ts';
export { EfiError, type EfiErrorCode } from './errors.ts';
export { guidBytes, guids, guidText } from './guid.ts';
export { appendSections, type NewSection } from './pe/append.ts';
export { authenticodeDigest } from './pe/hashed.ts';
export { type Pe, type PeSection, readPe } from './pe/pe.ts';
export { loadSecureBootKeys, type SecureBootKeys, secureBootFiles } from './secure-boot-keys.ts';
export {
  certificateList,
  encodeSignatureLists,
  parseSignatureLists,
  type SignatureEntry,
  type SignatureList,
} from './signature-list.ts';
export type { SignBytes, Signer } from './signer.ts';
export {
  certificatePem,
  createSigningIdentity,
  type SigningIdentity,
  type SigningIdentityOptions,
} from './signing-identity.ts';
export { attributes } from './variables/attributes.ts';
export {
  authenticatedVariable,
  type AuthenticatedVariable,
  isVariableSignedBy,
  parseAuthenticatedVariable,
  type VariableUpdate,
} from './variables/authenticated.ts';
export {
  type FirmwareVariable,
  readVariable,
  removeVariable,
  type VariableName,
  writeVariable,
} from './variables/firmware.ts';
export { type KeyVariable } from './variables/key-variables.ts';
export { type StoredVariable, storedVariables, variableStore } from './variables/store.ts';

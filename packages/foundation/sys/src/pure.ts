/**
 * What of sys needs no library: a program that starts quickly imports this and leaves the rest.
 *
 * @module
 */
export {
  contains,
  isNetwork,
  overlaps,
  parseAddress,
  parsePrefix,
  type Address,
  type Prefix,
} from './address.ts';
export { builtin } from './builtin.ts';
export { CodedError, codeOf, kindOf, policyOf } from './coded-error.ts';
export { type ErrorKind, type ErrorKinds, kindPolicies, type KindPolicy } from './error-kind.ts';
export { parseJson, stringifyJson } from './json.ts';
export { releaseVersion } from './release-version.ts';
export { Secret, type SecretArena } from './secret.ts';
export { shortSize } from './short-size.ts';
export { decodeText, TextError } from './text.ts';
export { yamlDepth, type YamlToken } from './yaml-depth.ts';

/**
 * What of sys needs no library and no system call: a program that starts quickly imports this and leaves the rest.
 *
 * @module
 */
export { CodedError, codeOf, kindOf, policyOf } from './coded-error.ts';
export { type ErrorKind, type ErrorKinds, kindPolicies, type KindPolicy } from './error-kind.ts';
export { parseJson, stringifyJson } from './json.ts';
export { releaseVersion } from './release-version.ts';
export { decodeText, TextError } from './text.ts';
export { yamlDepth, type YamlToken } from './yaml-depth.ts';

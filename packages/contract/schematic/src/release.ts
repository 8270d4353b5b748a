/**
 * `release.json` of a release directory: what the build of the node OS writes and the factory reads.
 *
 * @example
 * const bytes = await readFile(join(directory, releaseFileName));
 * verifyRelease(bytes, await readFile(join(directory, signatureFileName)), [publicKey]);
 * const release = parseRelease(bytes.toString());
 * console.log(release.version, release.files['amd64/kernel']?.size);
 *
 * @module
 */
export { clientDirectory, clientNames } from './release/clients.ts';
export { ReleaseError, type ReleaseErrorCode } from './release/errors.ts';
export { installerPartType } from './release/installer.ts';
export { parseRelease } from './release/parse.ts';
export {
  type Architecture,
  type ArchitectureFile,
  architectureFiles,
  billFile,
  type BiosFile,
  biosFiles,
  architectures,
  extensionBillFile,
  extensionFile,
  extensionModulesFile,
  modulesFile,
  type Release,
  type ReleaseArchitecture,
  type ReleaseExtension,
  type ReleaseFile,
  releaseFileName,
  releaseLayout,
  signatureFileName,
  statementsFile,
} from './release/release.ts';
export { signRelease, verifyRelease } from './release/signature.ts';
export { compareVersions, imageVersionOf, isVersion, parseVersion, type Version } from './release/version.ts';
export { formatRelease } from './release/write.ts';

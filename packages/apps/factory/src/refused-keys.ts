const byKeys =
  'releases are verified by keys, which need nothing of the internet: containerSignature.publicKeyFile';
const inReleases =
  'images are made of releases in artifacts.directory: nodecore-factory mirror brings them there';
const views = 'images are views, and made anew as fast as they are read';
const secureBoot = 'secureBoot.directory has all keys, as osctl gen secureboot makes them';

/**
 * Keys that factories elsewhere have and this one does not, with all below them, and what is in their place. A configuration with one
 * is refused, so that nobody believes it counts.
 */
export const refusedKeys: readonly (readonly [key: string, why: string])[] = [
  ['artifacts.core.components', 'the names at artifacts.core.registry are fixed'],
  [
    'artifacts.core.insecure',
    'a registry is asked in plain text only in a private network: artifacts.core.caPath',
  ],
  ['artifacts.installer', 'installers are computed and served at /v2/, and are in no registry'],
  ['artifacts.versionRecheckInterval', 'artifacts.refreshInterval'],
  ['authentication.auth0', 'authentication.provider: oidc, with authentication.oidc'],
  ['authentication.tokens.storage', 'tokens are in storage.directory, or in storage.postgres'],
  ['authentication.tokens.verificationCacheRefreshInterval', 'a stored token is looked up each time'],
  ['build.maxConcurrency', 'what takes a processor longer has queues of a fixed length'],
  ['build.minOSVersion', 'artifacts.directory has the releases that are served, and no others'],
  ['cache.cdn', `${views}: any HTTP cache may stand in front, answers say what it may keep`],
  ['cache.gsa', 'cache.s3 takes any store that is compatible with S3'],
  ['cache.oci', `${views}; what is compressed is shared by cache.s3`],
  ['cache.s3.presignedURLTTL', 'nobody is led to the bucket'],
  ['cache.schematic', 'a schematic is read in microseconds'],
  ['cache.signingKeyPath', 'installer.signingKeyPath signs objects, too'],
  ['containerSignature.disabled', 'a release that nobody has signed is not loaded'],
  ['containerSignature.issuer', byKeys],
  ['containerSignature.issuerRegExp', byKeys],
  ['containerSignature.publicKeyHashAlgo', 'keys of releases are Ed25519'],
  ['containerSignature.subjectRegExp', byKeys],
  ['enterprise.extraExtensions', `npm run release -- --extensions; ${inReleases}`],
  ['enterprise.scanner.cache', 'a scan is kept as long as the lists are the same'],
  ['enterprise.scanner.databaseRootDir', 'lists are in storage.directory'],
  ['enterprise.spdx', inReleases],
  ['enterprise.vex', inReleases],
  ['limits', 'limits are fixed, and in the documentation'],
  ['registry', 'releases are files: artifacts.directory'],
  ['secureBoot.awsKMS', secureBoot],
  ['secureBoot.azureKeyVault', secureBoot],
  ['secureBoot.enabled', secureBoot],
  ['secureBoot.file', secureBoot],
];

import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

/** Stable: programs compare it, users see it; answers carry it. */
export type FactoryErrorCode =
  | 'ERR_FACTORY_SETUP' // options or their files don't fit
  | 'ERR_FACTORY_RELEASE' // a release directory is not what was signed
  | 'ERR_FACTORY_RELEASE_NONE' // no release is there
  | 'ERR_FACTORY_RELEASE_OTHER' // another release has this version there, and is not replaced
  | 'ERR_FACTORY_PLACE' // not a place of a release
  | 'ERR_FACTORY_MIRROR_BUSY' // somebody else writes there now
  | 'ERR_FACTORY_SCHEMATIC_UNKNOWN' // nobody has submitted a schematic with this ID
  | 'ERR_FACTORY_SCHEMATIC_OWNER' // it names an owner, and this factory knows no callers
  | 'ERR_FACTORY_SCHEMATIC_FOREIGN' // it is somebody else's
  | 'ERR_FACTORY_CONFIGURATION' // it embeds a configuration that no node would take
  | 'ERR_FACTORY_VERSION' // not a version
  | 'ERR_FACTORY_VERSION_UNKNOWN' // no release of this version is loaded
  | 'ERR_FACTORY_ASSET' // no such image
  | 'ERR_FACTORY_ARCHITECTURE' // the release is not for it
  | 'ERR_FACTORY_EXTENSION' // the release has no such extension
  | 'ERR_FACTORY_UNSUPPORTED' // the schematic asks for what this release does not offer
  | 'ERR_FACTORY_SCAN_DATA' // nothing is known of vulnerabilities, or lists of them are not to be believed
  | 'ERR_FACTORY_SECURE_BOOT' // an image for Secure Boot, and there are no keys
  | 'ERR_FACTORY_REQUEST' // a request that makes no sense
  | 'ERR_FACTORY_RANGE' // a part that begins behind the end
  | 'ERR_FACTORY_PRECONDITION' // another one than is here, and nothing else, is asked for
  | 'ERR_FACTORY_ORIGIN' // a form that a page of another site has sent
  | 'ERR_FACTORY_PATH' // nothing is served there
  | 'ERR_FACTORY_STORE_FULL' // no room for another schematic, object or release
  | 'ERR_FACTORY_STORE' // the store of schematics, tokens or objects fails
  | 'ERR_FACTORY_CREDENTIAL' // no credential, or none that holds
  | 'ERR_FACTORY_LOGIN' // a login by a browser that came to no end
  | 'ERR_FACTORY_ISSUER' // who says who callers are does not answer, or not as it must
  | 'ERR_FACTORY_BUSY' // too many wrong passwords from an address
  | 'ERR_FACTORY_OVERLOADED' // too much waits to be made, or the machine has too little for it now
  | 'ERR_FACTORY_SCOPE' // the credential does not allow it
  | 'ERR_FACTORY_TOKEN_REQUEST' // a token that makes no sense is asked for
  | 'ERR_FACTORY_TOKEN_CEILING' // more is asked for than who asks may pass on
  | 'ERR_FACTORY_TOKEN_LIMIT' // as many stored tokens as an identity may have are there
  | 'ERR_FACTORY_TOKEN_UNKNOWN'; // who asks has no such stored token

const kinds: ErrorKinds<FactoryErrorCode> = {
  ERR_FACTORY_SETUP: 'invalid',
  ERR_FACTORY_RELEASE: 'damaged',
  ERR_FACTORY_RELEASE_NONE: 'not-found',
  ERR_FACTORY_RELEASE_OTHER: 'exists',
  ERR_FACTORY_PLACE: 'invalid',
  ERR_FACTORY_MIRROR_BUSY: 'busy',
  ERR_FACTORY_SCHEMATIC_UNKNOWN: 'not-found',
  ERR_FACTORY_SCHEMATIC_OWNER: 'invalid',
  ERR_FACTORY_SCHEMATIC_FOREIGN: 'denied',
  ERR_FACTORY_CONFIGURATION: 'invalid',
  ERR_FACTORY_VERSION: 'invalid',
  ERR_FACTORY_VERSION_UNKNOWN: 'not-found',
  ERR_FACTORY_ASSET: 'invalid',
  ERR_FACTORY_ARCHITECTURE: 'not-found',
  ERR_FACTORY_EXTENSION: 'invalid',
  ERR_FACTORY_UNSUPPORTED: 'invalid',
  ERR_FACTORY_SCAN_DATA: 'unavailable',
  ERR_FACTORY_SECURE_BOOT: 'invalid',
  ERR_FACTORY_REQUEST: 'invalid',
  ERR_FACTORY_RANGE: 'out-of-range',
  ERR_FACTORY_PRECONDITION: 'refused',
  ERR_FACTORY_ORIGIN: 'denied',
  ERR_FACTORY_PATH: 'not-found',
  ERR_FACTORY_STORE_FULL: 'exhausted',
  ERR_FACTORY_STORE: 'unavailable',
  ERR_FACTORY_CREDENTIAL: 'denied',
  ERR_FACTORY_LOGIN: 'invalid',
  ERR_FACTORY_ISSUER: 'unavailable',
  ERR_FACTORY_BUSY: 'busy',
  ERR_FACTORY_OVERLOADED: 'busy',
  ERR_FACTORY_SCOPE: 'denied',
  ERR_FACTORY_TOKEN_REQUEST: 'invalid',
  ERR_FACTORY_TOKEN_CEILING: 'denied',
  ERR_FACTORY_TOKEN_LIMIT: 'refused',
  ERR_FACTORY_TOKEN_UNKNOWN: 'not-found',
};

/** What the factory does not do. Never has a schematic's text in it, which may hold a join token. */
export class FactoryError extends CodedError<FactoryErrorCode> {
  /** Names that would have been right, the nearest first. */
  readonly nearest: readonly string[];
  /** Scopes, any of which would have been enough. */
  readonly needs: readonly string[];
  /** Headers of the answer that says it. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: FactoryErrorCode,
    message: string,
    options: ErrorOptions & Partial<Pick<FactoryError, 'nearest' | 'needs' | 'headers'>> = {},
  ) {
    const { nearest = [], needs = [], headers = {}, ...others } = options;
    super(code, nearest.length === 0 ? message : `${message}; nearest: ${nearest.join(', ')}`, others);
    this.nearest = nearest;
    this.needs = needs;
    this.headers = headers;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'FactoryError';
  }
}

import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type ResourceErrorCode =
  | 'ERR_RESOURCE_NOT_FOUND' // no resource with this id
  | 'ERR_RESOURCE_EXISTS' // created twice
  | 'ERR_RESOURCE_OWNER' // written by somebody who doesn't own it
  | 'ERR_RESOURCE_VERSION' // changed since it was read
  | 'ERR_RESOURCE_PHASE' // it is being torn down
  | 'ERR_RESOURCE_FINALIZERS' // somebody still needs it
  | 'ERR_RESOURCE_TYPE' // no such type, or the namespace doesn't hold it
  | 'ERR_RESOURCE_DENIED' // the type is sensitive and the caller no administrator
  | 'ERR_RESOURCE_BOOKMARK'; // of another run of the agent, or older than the history

const kinds: ErrorKinds<ResourceErrorCode> = {
  ERR_RESOURCE_NOT_FOUND: 'not-found',
  ERR_RESOURCE_EXISTS: 'exists',
  ERR_RESOURCE_OWNER: 'denied',
  ERR_RESOURCE_VERSION: 'refused',
  ERR_RESOURCE_PHASE: 'refused',
  ERR_RESOURCE_FINALIZERS: 'refused',
  ERR_RESOURCE_TYPE: 'not-found',
  ERR_RESOURCE_DENIED: 'denied',
  ERR_RESOURCE_BOOKMARK: 'out-of-range',
};

/** What went wrong with which resource: `Disks.block.nodecore.dev/sda`. */
export class ResourceError extends CodedError<ResourceErrorCode> {
  readonly resource: string;

  constructor(code: ResourceErrorCode, resource: string, message: string) {
    super(code, `${resource}: ${message}`);
    this.resource = resource;
  }

  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'ResourceError';
  }
}

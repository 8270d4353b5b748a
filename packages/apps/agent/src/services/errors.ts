import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys';

export type ServiceRequestErrorCode = 'ERR_CONTAINER_RUNTIME'; // containers are asked for, and nothing here runs any

const kinds: ErrorKinds<ServiceRequestErrorCode> = { ERR_CONTAINER_RUNTIME: 'unsupported' };

/** What a caller asks of services that this node does not have. */
export class ServiceRequestError extends CodedError<ServiceRequestErrorCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'ServiceRequestError';
  }
}

/** What every call for containers gets on this node. */
export function noContainerRuntime(): ServiceRequestError {
  return new ServiceRequestError('ERR_CONTAINER_RUNTIME', 'no container runtime on this node');
}

import { CodedError, type ErrorKind, type ErrorKinds } from '@nodecore/sys/pure';

export type OutcomeCode =
  | 'ERR_CACHE_DAMAGED' // a cache of images is not as it must be; what was found was printed
  | 'ERR_DEBUG' // a node has a container runtime, of which this client knows only how to bring images there
  | 'ERR_DIFFERENT' // two configurations are not the same, and the exit code was to say so; what is different was printed
  | 'ERR_FELL_BACK' // a node came back as something else than it was to
  | 'ERR_INSTALL' // a node installed nothing, and said why
  | 'ERR_NOT_ALLOWED' // something that was asked about is not allowed; what, and which role would do, was printed
  | 'ERR_NOT_BACK' // a node was reset, and was waited for in vain
  | 'ERR_RESET' // a node was not reset, or not as a whole; the message says what comes next
  | 'ERR_ROTATION' // some keys were not rotated; what became of each was printed
  | 'ERR_TRIMS' // some volumes were not trimmed; what became of each was printed
  | 'ERR_UNHEALTHY' // not everything was well at the only look; what was not was printed
  | 'ERR_UNHEALTHY_TIMEOUT' // not everything became well in time
  | 'ERR_UPGRADE' // a node keeps the release that it has
  | 'ERR_WAIT_TIMEOUT' // resources of a node were not as wanted in time
  | 'ERR_WIPE'; // a device could not be wiped; those named after it are untouched

const kinds: ErrorKinds<OutcomeCode> = {
  ERR_CACHE_DAMAGED: 'damaged',
  ERR_DEBUG: 'unsupported',
  ERR_DIFFERENT: 'refused',
  ERR_FELL_BACK: 'refused',
  ERR_INSTALL: 'refused',
  ERR_NOT_ALLOWED: 'refused',
  ERR_NOT_BACK: 'timeout',
  ERR_RESET: 'refused',
  ERR_ROTATION: 'refused',
  ERR_TRIMS: 'refused',
  ERR_UNHEALTHY: 'refused',
  ERR_UNHEALTHY_TIMEOUT: 'timeout',
  ERR_UPGRADE: 'refused',
  ERR_WAIT_TIMEOUT: 'timeout',
  ERR_WIPE: 'refused',
};

/** A command has done what it could, and that is not what it was to do. */
export class OutcomeError extends CodedError<OutcomeCode> {
  override get kind(): ErrorKind {
    return kinds[this.code];
  }

  static {
    this.prototype.name = 'OutcomeError';
  }
}

export function notRotated(failed: number, total: number): OutcomeError {
  const words = `${failed} of ${total} keys were not rotated; their old keys still open the volumes`;
  return new OutcomeError('ERR_ROTATION', words);
}

export function notTrimmed(missed: number, total: number): OutcomeError {
  return new OutcomeError('ERR_TRIMS', `${missed} of ${total} volumes were not trimmed`);
}

export function notAllowed(denied: number, total: number): OutcomeError {
  const words = `${denied} of ${total} ${total === 1 ? 'method is' : 'methods are'} not allowed`;
  return new OutcomeError('ERR_NOT_ALLOWED', words);
}

export function notWiped(node: string, device: string, message: string, code: string): OutcomeError {
  return new OutcomeError('ERR_WIPE', `${node}: ${device} was not wiped: ${message} (${code})`);
}

export function notReset(node: string, message: string, code: string): OutcomeError {
  return new OutcomeError('ERR_RESET', `${node} was not reset: ${message} (${code})`);
}

export function notUpgraded(node: string, message: string, exitCode: number): OutcomeError {
  return new OutcomeError('ERR_UPGRADE', `${node} was not upgraded: ${message} (exit code ${exitCode})`);
}

export function notInstalled(node: string, message: string, exitCode: number): OutcomeError {
  return new OutcomeError('ERR_INSTALL', `${node} was not installed: ${message} (exit code ${exitCode})`);
}

export function fellBack(node: string, message: string): OutcomeError {
  return new OutcomeError('ERR_FELL_BACK', `${node}: ${message}`);
}

export function notBack(node: string, waitedMs: number): OutcomeError {
  const words = `${node} does not answer anew after ${seconds(waitedMs)}: look at its console`;
  return new OutcomeError('ERR_NOT_BACK', words);
}

export function unhealthy(failed: number, total: number): OutcomeError {
  return new OutcomeError('ERR_UNHEALTHY', `${failed} of ${total} checks failed`);
}

export function unhealthyInTime(failed: number, total: number, waitedMs: number): OutcomeError {
  const words = `${failed} of ${total} checks fail after ${seconds(waitedMs)}`;
  return new OutcomeError('ERR_UNHEALTHY_TIMEOUT', words);
}

/** @param ids of resources that are not so; none: there is no resource. */
export function notAsWanted(
  node: string,
  condition: string,
  { ids, waitedMs }: { readonly ids: readonly string[]; readonly waitedMs: number },
): OutcomeError {
  const what = ids.length === 0 ? 'there is none' : `not so: ${ids.join(', ')}`;
  return new OutcomeError('ERR_WAIT_TIMEOUT', `${node}: no ${condition} after ${seconds(waitedMs)}: ${what}`);
}

export function damagedCache(cache: string, count: number): OutcomeError {
  const words = `${cache}: ${count} ${count === 1 ? 'file is' : 'files are'} not as they must be`;
  return new OutcomeError('ERR_CACHE_DAMAGED', words);
}

export function different(count: number): OutcomeError {
  const words = count === 1 ? 'there is 1 difference' : `there are ${count} differences`;
  return new OutcomeError('ERR_DIFFERENT', words);
}

export function noDebug(node: string): OutcomeError {
  const words = `${node}: the image is there; running it needs an osctl of the node's version`;
  return new OutcomeError('ERR_DEBUG', words);
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

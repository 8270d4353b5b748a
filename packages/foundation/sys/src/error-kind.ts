/**
 * What an error means to a program that does not know its code. Everything that every error needs follows from it: the
 * gRPC status, the exit code, whether to try again.
 */
export type ErrorKind =
  | 'not-found' // what was named is not there
  | 'exists' // it is there already and is not replaced
  | 'busy' // somebody else does such work now; try again
  | 'denied' // this caller may not do that
  | 'refused' // the state of things forbids it; trying again changes nothing
  | 'invalid' // the request makes no sense anywhere
  | 'out-of-range' // a place in a history that is gone, or not there yet; begin anew
  | 'unavailable' // who should answer can't be reached, or not yet; try again
  | 'timeout' // no answer in time; it may have been done
  | 'exhausted' // no room, no memory, or a limit is reached
  | 'damaged' // what is stored is not what was written
  | 'unsupported' // this machine, version or program can't do that
  | 'aborted' // it was given up on purpose
  | 'internal'; // a defect, or what nobody has classified

/** The kind of each code of an error class; the compiler finds a code without one. */
export type ErrorKinds<Code extends string> = Readonly<Record<Code, ErrorKind>>;

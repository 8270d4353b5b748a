import { closed, listOf, optional, type Shape, text, whole } from '../shape.ts';
import { problem } from './configuration.ts';

/** An error on standard error, with `OSCTL_ERRORS=json`. */
export const errorShape: Shape = closed({
  code: text('stable name of the error; ERR_FAILED where it has none'),
  exitCode: whole('what osctl ends with when this is all that failed'),
  message: text('in words'),
  node: optional(text('of several nodes as it was named; of one the address that was called')),
  reason: optional(text('code of the error on the node')),
  requestId: optional(text('what the log of the node calls the call')),
  advice: optional(text('what to do next, in words')),
  problems: optional(listOf(problem, 'of a configuration')),
});

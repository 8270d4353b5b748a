import { ApiError } from '@nodecore/api';

import { errorLines } from '../error-lines.ts';

/** An error in a line, without the node: it stands above. */
export function failureText(error: unknown): string {
  const [line = 'does not answer'] = errorLines(error);
  if (!(error instanceof ApiError)) return line;
  const { node, endpoint } = error;
  const prefix = [node, endpoint].find((each) => each !== undefined && line.startsWith(`${each}: `));
  return prefix === undefined ? line : line.slice(prefix.length + 2);
}

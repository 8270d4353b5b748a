import { NativeError } from '@nodecore/native';

import { ServerError } from '../server/errors.ts';

/**
 * Asks the kernel by a thread of the addon.
 *
 * @throws {ServerError} `ERR_SERVER_BUSY` when it keeps so many such threads waiting that another one would only wait, too.
 */
export async function askKernel<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof NativeError && error.errno === 'EBUSY')
      throw new ServerError('ERR_SERVER_BUSY', 'too many such questions wait for the kernel', {
        cause: error,
      });
    throw error;
  }
}

import { decodeText, TextError } from '@nodecore/sys/pure';

import { ConfigError } from './errors.ts';

/**
 * The text of a configuration or a patch that came as bytes. Nothing in it is replaced: a passphrase arrives as it was
 * written, or not at all.
 *
 * @throws {ConfigError} `ERR_CONFIG_INVALID` with the place of the first byte that is not UTF-8.
 */
export function decode(bytes: Uint8Array, { file }: { readonly file?: string } = {}): string {
  try {
    return decodeText(bytes);
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    const { message, line, column } = error;
    const place = { path: '', document: '', line, column, ...(file === undefined ? {} : { file }) };
    throw new ConfigError('ERR_CONFIG_INVALID', `${file ?? 'the configuration'} has 1 problem`, [
      { code: 'text.encoding', message, ...place },
    ]);
  }
}

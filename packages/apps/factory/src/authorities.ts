import { readFile } from 'node:fs/promises';

import { codeOf } from '@nodecore/sys';

import { wrong } from './settings.ts';

/**
 * Authorities that are believed in place of those that come with Node.js, in PEM.
 *
 * @param key of the configuration that has the path, for errors.
 * @throws {FactoryError} with `ERR_FACTORY_SETUP`.
 */
export async function readAuthorities(key: string, path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw wrong(`${key}: ${path}: ${codeOf(error) ?? 'can not be read'}`);
  });
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw wrong(`${key}: ${path}: no certificate in PEM`);
}

/** The code by which somebody's certificate is not to be believed, wherever an error has it. */
export function certificateCodeOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = codeOf(at);
    if (code !== undefined && isCertificateCode(code)) return code;
  }
  return undefined;
}

/** Whether a code of an error says that somebody's certificate is not to be believed. */
export function isCertificateCode(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code);
}

import { readRange } from '@nodecore/oci';
import type { View } from '@nodecore/view';

import { FactoryError } from '../errors.ts';
import type { Answer } from './answer.ts';
import { type Conditions, isKnown } from './conditions.ts';

/** What of a request an image's answer depends on. */
export type ImageConditions = Conditions & {
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
};

export type ImageAnswerOptions = ImageConditions & {
  /** Hex, without quotes. */
  readonly etag: string;
  readonly contentType: string;
  readonly fileName: string;
  /** Of all of it, in hex, where that is known without reading it. */
  readonly sha256?: string | undefined;
};

/** The same address has the same bytes, or none. */
export const forEver = 'public, max-age=31536000, immutable';

/** The word that a client has it already. */
export function unchangedAnswer(options: ImageAnswerOptions): Answer {
  return { status: 304, headers: headersOf(options) };
}

/**
 * A view, a range of it, or the word that the client has it already (RFC 9110, 13 and 14).
 *
 * @throws {FactoryError} with `ERR_FACTORY_PRECONDITION` or `ERR_FACTORY_RANGE`.
 */
export function imageAnswer(view: View, options: ImageAnswerOptions): Answer {
  const about = headersOf(options);
  const { etag } = about;
  if (isKnown(options, etag)) return unchangedAnswer(options);
  const isSame = options.ifRange === undefined || options.ifRange === etag;
  const range = readRange(isSame ? options.range : undefined, view.size);
  if (range === 'unsatisfiable')
    throw new FactoryError('ERR_FACTORY_RANGE', `range: begins behind the last of ${view.size} bytes`, {
      headers: { 'content-range': `bytes */${view.size}`, 'accept-ranges': 'bytes' },
    });
  const { start, end } = range ?? { start: 0, end: view.size };
  const headers = { ...about, 'content-length': `${end - start}` };
  const body = { blob: view, start, end };
  if (range === undefined) return { status: 200, headers, body };
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end - 1}/${view.size}` },
    body,
  };
}

/** `repr-digest` (RFC 9530) is of all of it, also in the answer to a range. */
function headersOf({ etag, contentType, fileName, sha256 }: ImageAnswerOptions) {
  return {
    etag: `"${etag}"`,
    'accept-ranges': 'bytes',
    'content-type': contentType,
    'content-disposition': `attachment; filename="${fileName}"`,
    'cache-control': forEver,
    ...(sha256 !== undefined && {
      'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    }),
  };
}

/**
 * The name that a download is to have; what is asked for goes into a header.
 *
 * @throws {FactoryError} with `ERR_FACTORY_REQUEST`.
 */
export function downloadName(asked: string | undefined, fileName: string): string {
  if (asked === undefined) return fileName;
  if (/^[A-Za-z0-9._+-]{1,128}$/.test(asked)) return asked;
  throw new FactoryError('ERR_FACTORY_REQUEST', 'filename: letters, digits and ._+- only, 128 at most');
}

import { readRange } from '@nodecore/oci';
import type { View } from '@nodecore/view';

import { FactoryError } from '../errors.ts';
import type { Answer } from './answer.ts';

/** What of a request an image's answer depends on. */
export type Conditions = {
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  readonly ifNoneMatch: string | undefined;
};

export type ImageAnswerOptions = Conditions & {
  /** Hex, without quotes. */
  readonly etag: string;
  readonly contentType: string;
  readonly fileName: string;
};

/** A view, a range of it, or the word that the client has it already (RFC 9110, 13 and 14). */
export function imageAnswer(view: View, options: ImageAnswerOptions): Answer {
  const etag = `"${options.etag}"`;
  const about = {
    etag,
    'accept-ranges': 'bytes',
    'content-type': options.contentType,
    'content-disposition': `attachment; filename="${options.fileName}"`,
    'cache-control': 'public, max-age=31536000, immutable',
  };
  if (isMatch(options.ifNoneMatch, etag)) return { status: 304, headers: about };
  const isSame = options.ifRange === undefined || options.ifRange === etag;
  const range = readRange(isSame ? options.range : undefined, view.size);
  if (range === 'unsatisfiable')
    return {
      status: 416,
      headers: { 'content-range': `bytes */${view.size}`, 'content-length': '0', 'accept-ranges': 'bytes' },
    };
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

/** Whether a client has what the ETag stands for (RFC 9110, 13.1.2). */
export function isMatch(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((tag) => [etag, '*'].includes(tag.trim().replace(/^W\//, ''))) ?? false;
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

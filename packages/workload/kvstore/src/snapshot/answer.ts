import type { SnapshotAnswer } from '@nodecore/native/snapshot';

import { parseEndpoint } from '../endpoint.ts';
import { KvstoreError } from '../errors.ts';
import { statusError } from '../status-error.ts';
import { lateRefusal } from '../tls.ts';
import { faultWords } from './fault-words.ts';

/** What is wrong with the answer to a call for a snapshot that is over; undefined when nothing is. */
export function failureOf(
  endpoint: string,
  answer: SnapshotAnswer,
  bytes: number,
  cause: unknown,
): KvstoreError | undefined {
  const { headers, trailers, closedWith, violation, fault, isWhole } = answer;
  const protocol = (words: string): KvstoreError =>
    new KvstoreError('ERR_KVSTORE_PROTOCOL', endpoint, `no snapshot came: ${words}`);
  const httpStatus = headers.get(':status');
  const contentType = headers.get('content-type') ?? 'no content type';
  if (httpStatus !== undefined && (httpStatus !== '200' || !contentType.startsWith('application/grpc'))) {
    return protocol(`HTTP status ${httpStatus}, ${contentType}`);
  }
  if (fault !== undefined) return protocol(faultWords[fault]);
  if (violation !== undefined) return protocol(`the answer is no HTTP/2 (${violation})`);
  const status = trailers.get('grpc-status') ?? headers.get('grpc-status');
  if (status === undefined) {
    const refusal = lateRefusal(parseEndpoint(endpoint, true), cause);
    if (refusal !== undefined) return refusal;
    return new KvstoreError(
      'ERR_KVSTORE_UNREACHABLE',
      endpoint,
      `the connection broke after ${bytes} bytes of the snapshot; try again, or another member`,
      { cause: cause ?? (closedWith === 0 ? undefined : new Error(`HTTP/2 error code ${closedWith}`)) },
    );
  }
  if (status !== '0') {
    const message = trailers.get('grpc-message') ?? headers.get('grpc-message') ?? '';
    return statusError(endpoint, Number(status), unescaped(message));
  }
  return isWhole ? undefined : protocol('the last message has no end');
}

/** gRPC escapes its messages like URLs. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What every answer has. */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    server: 'nodecore-factory',
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'access-control-expose-headers':
      'Content-Disposition, Content-Length, Content-Range, Content-Type, ETag, Repr-Digest',
  };
}

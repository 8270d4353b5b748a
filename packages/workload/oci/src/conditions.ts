/** Whether what has the ETag may be sent, by `If-Match`; undefined has none. A weak tag stands for other bytes, too (RFC 9110, 13.1.1). */
export function isWanted(ifMatch: string | undefined, etag: string | undefined): boolean {
  return tagsOf(ifMatch)?.some((tag) => tag === '*' || tag === etag) ?? true;
}

/** Whether a client has what the ETag stands for, by `If-None-Match`; a weak tag says so, too (RFC 9110, 13.1.2). */
export function isHeld(ifNoneMatch: string | undefined, etag: string): boolean {
  return tagsOf(ifNoneMatch)?.some((tag) => [etag, '*'].includes(tag.replace(/^W\//, ''))) ?? false;
}

function tagsOf(header: string | undefined): readonly string[] | undefined {
  return header?.match(/(?:W\/)?"[^"]*"|[^,\s]+/g) ?? (header === undefined ? undefined : []);
}

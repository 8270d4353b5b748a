/** Unix seconds at which a call was signed. */
export const timestampHeader = 'x-authv1-timestamp';
/** What was signed: JSON of the method and of headers. */
export const payloadHeader = 'x-authv1-payload';
/** `authv1 IDENTITY FINGERPRINT BASE64`. */
export const signatureHeader = 'x-authv1-signature';

/** First word of the signature. */
export const signatureVersion = 'authv1';

/** Headers that say where a call goes and what it is about: who changes one of them changes the call. */
export const signedHeaders: readonly string[] = [
  'authorization',
  'cluster',
  'context',
  'fieldSelectors',
  'namespace',
  'node',
  'nodes',
  'runtime',
  'selectors',
  'uid',
  timestampHeader,
];

/** The values of a header of a call, by its name in lower case; none: it is not there. */
export type HeaderReader = (name: string) => readonly string[];

/** Values as they compare: HTTP/2 may join several into one, with a comma. */
export function comparable(values: readonly string[]): string {
  return values
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .join(',');
}

import { parseEndpoint, type Endpoint } from '@nodecore/kms-endpoint';
import { codeOf } from '@nodecore/sys/pure';

import { object } from './field/object.ts';
import { anyText, textLike, withJson } from './field/shape.ts';
import { required, type Type } from './field/type.ts';
import { type Place } from './place.ts';

/** Where a key server is, as it is written. */
const endpoint: Type<string> = {
  ...withJson(textLike(String.raw`^([A-Za-z]+://)?[^/?#@\s]+$`), { examples: ['grpcs://kms.example:4050'] }),
  read: (at) => {
    const text = anyText.read(at);
    const read = text === undefined ? undefined : readEndpoint(at, text);
    if (read?.tls === false)
      at.warning(
        'key.kms_plaintext',
        'grpc is not encrypted: whoever watches the network gets the key; write grpcs://',
      );
    return read && text;
  },
};

/** `kms`: a random key, sealed by a key server. */
export const kmsSource: Type<{ readonly endpoint: string }> = object({
  endpoint: required('grpcs://host:port or https://host:port with TLS, grpc://host:port without', endpoint),
});

/** Warns of what a key server that opens STATE can't know. */
export function warnKmsOfState(source: Place): void {
  source
    .get('endpoint')
    ?.warning(
      'key.kms_on_state',
      'this server is asked before the configuration can be read: with the network the machine has by itself, and ' +
        'without a certificate of the node',
    );
}

function readEndpoint(field: Place, text: string): Endpoint | undefined {
  try {
    return parseEndpoint(text);
  } catch (error) {
    if (codeOf(error) !== 'ERR_KMS_ENDPOINT') throw error;
    // The error's own message repeats the text, which may hold somebody's password.
    const message = 'not an endpoint from here on; write grpcs://host:port, an IPv6 address in brackets';
    const position = { line: 1, column: columnOf(error) };
    field.problem('key.kms_endpoint', message, field.ahead(position));
    return undefined;
  }
}

function columnOf(error: unknown): number {
  return error instanceof Error && 'column' in error && typeof error.column === 'number' ? error.column : 1;
}

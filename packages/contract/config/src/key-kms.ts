import { parseEndpoint, type Endpoint } from '@nodecore/kms-endpoint';
import { codeOf } from '@nodecore/sys/pure';

import { type Place } from './place.ts';
import { type EncryptionContext } from './encryption-context.ts';

export type KmsSource = { readonly kind: 'kms'; readonly endpoint: string };

/** Reads `kms`. */
export function readKms(source: Place, { state }: EncryptionContext): KmsSource | undefined {
  const field = source.get('endpoint');
  const text = field?.text();
  if (field === undefined || text === undefined) return undefined;
  if (state) {
    field.warning(
      'key.kms_on_state',
      'this server is asked before the configuration can be read: with the network the machine has by itself, and ' +
        'without a certificate of the node',
    );
  }
  const endpoint = readEndpoint(field, text);
  if (endpoint?.tls === false) {
    field.warning(
      'key.kms_plaintext',
      'grpc is not encrypted: whoever watches the network gets the key; write grpcs://',
    );
  }
  return { kind: 'kms', endpoint: text };
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

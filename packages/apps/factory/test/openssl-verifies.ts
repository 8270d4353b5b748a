import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { output, temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

/** An envelope of DSSE, as it is in a bundle. */
type Envelope = {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly { readonly sig: string }[];
};

/** Has openssl verify an envelope by a public key in PEM. @returns what was signed. */
export async function opensslVerifies(t: ExecutionContext, envelope: Envelope, pem: string): Promise<any> {
  const directory = await temporaryDirectory(t);
  const [key, signed, signature] = ['key', 'signed', 'signature'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  const payload = Buffer.from(envelope.payload, 'base64');
  const before = `DSSEv1 ${envelope.payloadType.length} ${envelope.payloadType} ${payload.length} `;
  await writeFile(signed, Buffer.concat([Buffer.from(before), payload]));
  await writeFile(signature, Buffer.from(envelope.signatures[0]?.sig ?? '', 'base64'));
  await writeFile(key, pem);
  const judged = ['pkeyutl', '-verify', '-pubin', '-inkey', key, '-rawin', '-in', signed] as const;
  const said = await output(['openssl', ...judged, '-sigfile', signature]);
  t.regex(said, /Signature Verified Successfully/);
  return JSON.parse(payload.toString());
}

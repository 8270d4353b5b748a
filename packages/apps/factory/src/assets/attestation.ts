import { sign } from 'node:crypto';

import type { InstallerKey } from './installer-key.ts';

/** A bundle of Sigstore, version 0.3, as clients of registries look for it. */
export const bundleType = 'application/vnd.dev.sigstore.bundle.v0.3+json';

/** What is said, by the types of predicates that its readers know. */
export const predicates = {
  /** That this is the image; nothing more. */
  signature: 'https://sigstore.dev/cosign/sign/v1',
  spdx: 'https://spdx.dev/Document/v2.3',
  provenance: 'https://slsa.dev/provenance/v1',
} as const;

/** What is said of an image. */
export type Statement = {
  /** Its repository, or its file. */
  readonly name: string;
  /** Of a manifest or an index `sha256:…`, of a file the hex alone. */
  readonly digest: string;
  readonly predicateType: string;
  readonly predicate: object;
};

const payloadType = 'application/vnd.in-toto+json';

/**
 * Signs a statement (in-toto, version 1) in an envelope (DSSE), as a bundle that needs nothing of the internet: the key is one that who
 * verifies has. The same statement and key give the same bytes.
 */
export function attest({ name, digest, predicateType, predicate }: Statement, key: InstallerKey): Buffer {
  const payload = Buffer.from(
    JSON.stringify({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name, digest: { sha256: digest.replace('sha256:', '') } }],
      predicateType,
      predicate,
    }),
  );
  const signature = sign(null, preAuthenticated(payload), key.privateKey);
  return Buffer.from(
    JSON.stringify({
      mediaType: bundleType,
      verificationMaterial: { publicKey: { hint: key.name } },
      dsseEnvelope: {
        payload: payload.toString('base64'),
        payloadType,
        signatures: [{ sig: signature.toString('base64'), keyid: key.name }],
      },
    }),
  );
}

/** What a signature of DSSE is over: the type is signed, too, and no boundary can be moved. */
function preAuthenticated(payload: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `),
    payload,
  ]);
}

import { generateKeyPair, type KeyObject, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

import { EfiError } from './errors.ts';
import { signBytesWith } from './signer.ts';

const generate = promisify(generateKeyPair);

/** A key that signs images and variables, and its certificate in DER. */
export type SigningIdentity = { readonly key: KeyObject; readonly certificate: Buffer };

export type SigningIdentityOptions = {
  /** Begin of its validity; default now. */
  readonly notBefore?: Date;
  /** Default ten years. Firmware does not look at it; people and other programs do. */
  readonly lifetimeMs?: number;
};

const tenYearsMs = 3650 * 24 * 3_600_000;

/**
 * A new RSA key of 2048 bits, which all firmware takes, and a self-signed certificate for it.
 *
 * @throws {EfiError} `ERR_EFI_KEY` for a name that is empty or longer than 64 characters.
 */
export async function createSigningIdentity(
  commonName: string,
  { notBefore = new Date(), lifetimeMs = tenYearsMs }: SigningIdentityOptions = {},
): Promise<SigningIdentity> {
  if (!/^[^\p{Cc}]{1,64}$/u.test(commonName)) {
    throw new EfiError('ERR_EFI_KEY', 'a common name has 1 to 64 characters');
  }
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: 2048 });
  const { AsnConvert, OctetString } = await import('@peculiar/asn1-schema');
  const x509 = await import('@peculiar/asn1-x509');
  const name = new x509.Name([
    new x509.RelativeDistinguishedName([
      new x509.AttributeTypeAndValue({
        type: '2.5.4.3',
        value: new x509.AttributeValue({ utf8String: commonName }),
      }),
    ]),
  ]);
  const extension = (extnID: string, critical: boolean, value: object): InstanceType<typeof x509.Extension> =>
    new x509.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
  const info = AsnConvert.parse(publicKey.export({ type: 'spki', format: 'der' }), x509.SubjectPublicKeyInfo);
  const signatureAlgorithm = new x509.AlgorithmIdentifier({
    algorithm: '1.2.840.113549.1.1.11', // sha256WithRSAEncryption
    parameters: null,
  });
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: serialNumber(),
    signature: signatureAlgorithm,
    issuer: name,
    subject: name,
    validity: new x509.Validity({ notBefore, notAfter: new Date(notBefore.getTime() + lifetimeMs) }),
    subjectPublicKeyInfo: info,
    extensions: new x509.Extensions([
      extension(x509.id_ce_basicConstraints, true, new x509.BasicConstraints({ cA: false })),
      extension(x509.id_ce_keyUsage, true, new x509.KeyUsage(x509.KeyUsageFlags.digitalSignature)),
      extension(
        x509.id_ce_extKeyUsage,
        false,
        new x509.ExtendedKeyUsage(['1.3.6.1.5.5.7.3.3']), // code signing
      ),
    ]),
  });
  const signature = await signBytesWith(privateKey, Buffer.from(AsnConvert.serialize(tbsCertificate)));
  const certificate = new x509.Certificate({
    tbsCertificate,
    signatureAlgorithm,
    signatureValue: new Uint8Array(signature).buffer,
  });
  return { key: privateKey, certificate: Buffer.from(AsnConvert.serialize(certificate)) };
}

/** Positive, 16 bytes, and never with a zero in front, which DER would leave out. */
function serialNumber(): ArrayBuffer {
  const bytes = new Uint8Array(randomBytes(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.buffer;
}

/** PEM text of a certificate in DER. */
export function certificatePem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/gu) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

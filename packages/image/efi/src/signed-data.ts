import { createHash } from 'node:crypto';

import {
  Attribute,
  CertificateChoices,
  CertificateSet,
  CMSVersion,
  ContentInfo,
  DigestAlgorithmIdentifiers,
  EncapsulatedContent,
  EncapsulatedContentInfo,
  id_contentType,
  id_data,
  id_messageDigest,
  id_signedData,
  IssuerAndSerialNumber,
  SignedData,
  SignerIdentifier,
  SignerInfo,
  SignerInfos,
} from '@peculiar/asn1-cms';
import {
  AsnArray,
  AsnConvert,
  AsnPropTypes,
  AsnProp,
  AsnType,
  AsnTypeTypes,
  OctetString,
} from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, Certificate } from '@peculiar/asn1-x509';

import { EfiError } from './errors.ts';
import { readCertificate, type Signer, signBytes, verifyBytes } from './signer.ts';

/** RFC 8017, RFC 5754. */
const sha256 = '2.16.840.1.101.3.4.2.1';
const rsaEncryption = '1.2.840.113549.1.1.1';
const sha256WithRsa = '1.2.840.113549.1.1.11';

/** The same set as `SignedAttributes`, with the tag that is signed in place of the one that is written (RFC 5652, 5.4). */
class AttributeSet extends AsnArray<Attribute> {}
AsnType({ type: AsnTypeTypes.Set, itemType: Attribute })(AttributeSet);

/** One object identifier, one text of bytes: values of attributes. */
class Identifier {
  value = '';
}
AsnType({ type: AsnTypeTypes.Choice })(Identifier);
AsnProp({ type: AsnPropTypes.ObjectIdentifier })(Identifier.prototype, 'value');

/** What is signed: content inside the signature, of a type, or bytes that are elsewhere. */
export type Content =
  | {
      readonly type: string;
      /** DER of a sequence. */
      readonly der: Uint8Array;
    }
  | { readonly detached: Uint8Array };

/** A parsed signature. */
export type Signature = {
  readonly contentType: string;
  /** DER of the content inside; absent when it is elsewhere. */
  readonly content: Uint8Array | undefined;
  readonly data: SignedData;
};

/** CMS SignedData by one signer with SHA-256, in DER, without the ContentInfo around it. No time is in it: equal inputs, equal bytes. */
export async function signData(content: Content, signer: Signer): Promise<Buffer> {
  const certificate = certificateOf(signer.certificate);
  const attributes = 'detached' in content ? undefined : attributesOf(content);
  const signed = 'detached' in content ? content.detached : der(new AttributeSet(attributes));
  const { issuer, serialNumber } = certificate.tbsCertificate;
  const info = new SignerInfo({
    version: CMSVersion.v1,
    sid: new SignerIdentifier({ issuerAndSerialNumber: new IssuerAndSerialNumber({ issuer, serialNumber }) }),
    digestAlgorithm: algorithm(sha256),
    ...(attributes && { signedAttrs: attributes }),
    signatureAlgorithm: algorithm(rsaEncryption),
    signature: new OctetString(await signBytes(signer, signed)),
  });
  const inside =
    'detached' in content
      ? new EncapsulatedContentInfo({ eContentType: id_data })
      : new EncapsulatedContentInfo({
          eContentType: content.type,
          eContent: new EncapsulatedContent({ any: arrayBuffer(content.der) }),
        });
  const data = new SignedData({
    version: CMSVersion.v1,
    digestAlgorithms: new DigestAlgorithmIdentifiers([algorithm(sha256)]),
    encapContentInfo: inside,
    certificates: new CertificateSet([new CertificateChoices({ certificate })]),
    signerInfos: new SignerInfos([info]),
  });
  return der(data);
}

/** The ContentInfo around SignedData, which Authenticode has and variables don't. */
export function wrapSignedData(signedData: Uint8Array): Buffer {
  return der(new ContentInfo({ contentType: id_signedData, content: arrayBuffer(signedData) }));
}

/**
 * Reads SignedData, with or without a ContentInfo around it. What it says is not proven yet.
 *
 * @throws {EfiError} `ERR_EFI_SIGNATURE`
 */
export function readSignedData(bytes: Uint8Array): Signature {
  try {
    const data = parseSignedData(bytes);
    const { eContentType, eContent } = data.encapContentInfo;
    const content = eContent?.any;
    return { contentType: eContentType, data, content: content && new Uint8Array(content) };
  } catch (cause) {
    throw new EfiError('ERR_EFI_SIGNATURE', 'the signature is no PKCS #7', { cause });
  }
}

function parseSignedData(bytes: Uint8Array): SignedData {
  let info: ContentInfo;
  try {
    info = AsnConvert.parse(bytes, ContentInfo);
  } catch {
    return AsnConvert.parse(bytes, SignedData);
  }
  return AsnConvert.parse(info.content, SignedData);
}

/**
 * Whether the holder of exactly this certificate signed. Certificates inside the signature are not looked at: nobody is trusted
 * because he says who he is. Chains of certificates are not followed.
 *
 * @param detached what was signed, for a signature that has it elsewhere.
 */
export function isSignedBy(signature: Signature, certificate: Uint8Array, detached?: Uint8Array): boolean {
  const own = certificateOf(certificate);
  const { publicKey } = readCertificate(certificate);
  const name = Buffer.from(AsnConvert.serialize(own.tbsCertificate.issuer));
  return signature.data.signerInfos.some((info) => {
    const sid = info.sid.issuerAndSerialNumber;
    if (sid === undefined || info.digestAlgorithm.algorithm !== sha256) return false;
    if (![rsaEncryption, sha256WithRsa].includes(info.signatureAlgorithm.algorithm)) return false;
    if (!name.equals(Buffer.from(AsnConvert.serialize(sid.issuer)))) return false;
    if (!Buffer.from(sid.serialNumber).equals(Buffer.from(own.tbsCertificate.serialNumber))) return false;
    const signed = signedBytes(signature, info, detached);
    return signed !== undefined && verifyBytes(publicKey, signed, new Uint8Array(info.signature.buffer));
  });
}

/** The part of a certificate that its issuer has signed, in DER. */
export function signedOfCertificate(certificate: Uint8Array): Uint8Array {
  const { tbsCertificate, tbsCertificateRaw } = certificateOf(certificate);
  return new Uint8Array(tbsCertificateRaw ?? AsnConvert.serialize(tbsCertificate));
}

/** What the signature is over: attributes that name type and digest of the content, or the content itself. */
function signedBytes(
  { contentType, content }: Signature,
  info: SignerInfo,
  detached: Uint8Array | undefined,
): Uint8Array | undefined {
  const bytes = content === undefined ? detached : valueOf(content);
  if (bytes === undefined) return undefined;
  const attributes = info.signedAttrs ?? [];
  if (attributes.length === 0) return bytes;
  const type = attribute(attributes, id_contentType);
  const digest = attribute(attributes, id_messageDigest);
  if (type === undefined || digest === undefined) return undefined;
  if (AsnConvert.parse(type, Identifier).value !== contentType) return undefined;
  const claimed = Buffer.from(AsnConvert.parse(digest, OctetString).buffer);
  if (!claimed.equals(createHash('sha256').update(bytes).digest())) return undefined;
  return der(new AttributeSet(attributes)); // in DER, whatever the encoding was (RFC 5652, 5.4)
}

/** The value of an attribute that is there once and has one value. */
function attribute(attributes: readonly Attribute[], type: string): ArrayBuffer | undefined {
  const found = attributes.filter(({ attrType }) => attrType === type);
  return found.length === 1 && found[0]?.attrValues.length === 1 ? found[0].attrValues[0] : undefined;
}

function attributesOf(content: { readonly type: string; readonly der: Uint8Array }): Attribute[] {
  const digest = createHash('sha256').update(valueOf(content.der)).digest();
  const type = new Identifier();
  type.value = content.type;
  return [
    new Attribute({ attrType: id_contentType, attrValues: [AsnConvert.serialize(type)] }),
    new Attribute({
      attrType: id_messageDigest,
      attrValues: [AsnConvert.serialize(new OctetString(digest))],
    }),
  ];
}

/** The value inside one DER element: Authenticode hashes content without its tag and length. */
function valueOf(element: Uint8Array): Uint8Array {
  const first = element[1] ?? 0;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  return element.subarray(2 + lengthBytes);
}

function certificateOf(bytes: Uint8Array): Certificate {
  const { raw } = readCertificate(bytes);
  const certificate = AsnConvert.parse(raw, Certificate);
  if (der(certificate).equals(raw)) return certificate;
  throw new EfiError('ERR_EFI_KEY', 'the certificate is not in DER: written again it has other bytes');
}

function algorithm(identifier: string): AlgorithmIdentifier {
  return new AlgorithmIdentifier({ algorithm: identifier, parameters: null });
}

function der(value: object): Buffer {
  return Buffer.from(AsnConvert.serialize(value));
}

function arrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

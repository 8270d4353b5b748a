import { AsnConvert, AsnProp, AsnPropTypes, AsnType, AsnTypeTypes, OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';

import { EfiError } from '../errors.ts';

/** SPC_INDIRECT_DATA_OBJID: the type of the content that Authenticode signs. */
export const indirectData = '1.3.6.1.4.1.311.2.1.4';
/** SPC_PE_IMAGE_DATA_OBJID. */
const peImageData = '1.3.6.1.4.1.311.2.1.15';
const sha256 = '2.16.840.1.101.3.4.2.1';

/** SpcPeImageData as every signer writes it: no flags, and a link to a file that is called `<<<Obsolete>>>`. */
const obsolete = Buffer.from('<<<Obsolete>>>', 'utf16le').swap16();
const imageData = Buffer.concat([Buffer.from('3025030100a020a21e801c', 'hex'), obsolete]);

class SpcAttribute {
  type: string = peImageData;
  value: ArrayBuffer = new Uint8Array(imageData).buffer;
}
AsnType({ type: AsnTypeTypes.Sequence })(SpcAttribute);
AsnProp({ type: AsnPropTypes.ObjectIdentifier })(SpcAttribute.prototype, 'type');
AsnProp({ type: AsnPropTypes.Any })(SpcAttribute.prototype, 'value');

class DigestInfo {
  algorithm: AlgorithmIdentifier = new AlgorithmIdentifier({ algorithm: sha256, parameters: null });
  digest: OctetString = new OctetString();
}
AsnType({ type: AsnTypeTypes.Sequence })(DigestInfo);
AsnProp({ type: AlgorithmIdentifier })(DigestInfo.prototype, 'algorithm');
AsnProp({ type: OctetString })(DigestInfo.prototype, 'digest');

class SpcIndirectData {
  data: SpcAttribute = new SpcAttribute();
  messageDigest: DigestInfo = new DigestInfo();
}
AsnType({ type: AsnTypeTypes.Sequence })(SpcIndirectData);
AsnProp({ type: SpcAttribute })(SpcIndirectData.prototype, 'data');
AsnProp({ type: DigestInfo })(SpcIndirectData.prototype, 'messageDigest');

/** SpcIndirectDataContent in DER, for the SHA-256 of an image. */
export function encodeIndirectData(digest: Uint8Array): Buffer {
  const content = new SpcIndirectData();
  content.messageDigest.digest = new OctetString(digest);
  return Buffer.from(AsnConvert.serialize(content));
}

/**
 * The SHA-256 that a signature is about.
 *
 * @throws {EfiError} `ERR_EFI_SIGNATURE` for other content, and for other digests.
 */
export function decodeIndirectData(der: Uint8Array): Buffer {
  let content: SpcIndirectData;
  try {
    content = AsnConvert.parse(der, SpcIndirectData);
  } catch (cause) {
    throw new EfiError('ERR_EFI_SIGNATURE', 'the signature is not about an image', { cause });
  }
  const { algorithm, digest } = content.messageDigest;
  if (
    content.data.type === peImageData &&
    algorithm.algorithm === sha256 &&
    digest.buffer.byteLength === 32
  ) {
    return Buffer.from(digest.buffer);
  }
  throw new EfiError('ERR_EFI_SIGNATURE', 'the signature is not about the SHA-256 of an image');
}

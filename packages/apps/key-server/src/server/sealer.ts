import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

import { Secret } from '@nodecore/sys';

import { type KeyRing, ringKeyBytes } from '../ring/key-ring.ts';
import { type Blob, headerOf } from './blob.ts';
import { uuidBytes } from './node-uuid.ts';

/** For whom: a UUID in its one spelling, and what for; empty when that was not said. */
export type Subject = { readonly node: string; readonly volume: string };

const algorithm = 'aes-256-gcm';
const tagBytes = 16;

/** Encrypts a key of 32 bytes for a node with the active key of the ring. */
export function sealFor(ring: KeyRing, subject: Subject, key: Uint8Array): Buffer {
  const { id, material } = ring.active;
  const header = headerOf(id, subject.volume !== '');
  const nonce = randomBytes(12);
  using derived = nodeKey(material, subject.node);
  const cipher = createCipheriv(algorithm, derived.bytes, nonce, { authTagLength: tagBytes });
  cipher.setAAD(authenticated(header, subject));
  const ciphertext = cipher.update(key);
  cipher.final();
  return Buffer.concat([header, nonce, ciphertext, cipher.getAuthTag()]);
}

/**
 * Decrypts a blob. Undefined when it was not sealed for the subject by this key, whatever differs.
 *
 * @returns the key, which the caller disposes.
 */
export function unsealFor(material: Secret, subject: Subject, blob: Blob): Secret | undefined {
  const bound = blob.boundToVolume ? subject : { ...subject, volume: '' };
  using derived = nodeKey(material, subject.node);
  const decipher = createDecipheriv(algorithm, derived.bytes, blob.nonce, { authTagLength: tagBytes });
  decipher.setAAD(authenticated(blob.header, bound));
  decipher.setAuthTag(blob.tag);
  const key = decipher.update(blob.ciphertext);
  try {
    decipher.final();
    return Secret.take(key);
  } catch {
    key.fill(0); // not authentic: these are bytes that somebody else chose
    return undefined;
  }
}

/** A key of its own for every node, so that what one node's key would give away ends with that node. RFC 5869. */
function nodeKey(material: Secret, node: string): Secret {
  const info = Buffer.concat([Buffer.from('nodecore-kms 1\0'), uuidBytes(node)]);
  return Secret.take(new Uint8Array(hkdfSync('sha256', material.bytes, Buffer.alloc(0), info, ringKeyBytes)));
}

/** Header and UUID have fixed lengths, so that no two subjects give the same bytes. */
function authenticated(header: Buffer, { node, volume }: Subject): Buffer {
  return Buffer.concat([header, uuidBytes(node), Buffer.from(volume)]);
}

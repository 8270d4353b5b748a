import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { readCertificate } from '@nodecore/pki';
import { codeOf, removeFileDurably, Secret, writeFileAtomic } from '@nodecore/sys';

import type { Log } from '../log.ts';
import { knownAddresses } from '../signing/names.ts';

/** What a control plane has signed for this node, with the key of both. */
export type KeptCertificate = {
  /** PEM, for the node API. */
  readonly server: string;
  /** PEM, for key servers; undefined when the node got none. */
  readonly node?: string | undefined;
  readonly key: Secret;
  /** Addresses of control planes, as the one that signed knows them. */
  readonly controlPlanes?: readonly string[];
};

export type CertificateFileParts = {
  /** Rejects while the node has no state. */
  readonly locate: () => Promise<string>;
  readonly log: Log;
};

const certificates = /-----BEGIN CERTIFICATE-----\n[A-Za-z0-9+/=\n]+-----END CERTIFICATE-----\n/gu;
/** A line outside of what is encoded: readers of PEM pass over it (RFC 7468, 5.2). */
const controlPlanesLine = '# control planes:';
const beginOfKey = '-----BEGIN PRIVATE KEY-----';

/** The certificate of a worker on STATE: a node that starts while no control plane is there goes on with it. */
export class CertificateFile {
  readonly #parts: CertificateFileParts;

  constructor(parts: CertificateFileParts) {
    this.#parts = parts;
  }

  /** The caller disposes the key. A file that is none is told of and left: another one takes its place. */
  async read(): Promise<KeptCertificate | undefined> {
    const path = await this.#parts.locate();
    let bytes: Buffer;
    try {
      bytes = await readFile(path);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') this.#broken(path, codeOf(error) ?? 'it can not be read');
      return undefined;
    }
    try {
      return parse(bytes) ?? this.#broken(path, 'it holds no certificate with its key');
    } finally {
      bytes.fill(0);
    }
  }

  async write({ server, node = '', key, controlPlanes = [] }: KeptCertificate): Promise<void> {
    const line = controlPlanes.length === 0 ? '' : `${[controlPlanesLine, ...controlPlanes].join(' ')}\n`;
    using text = Secret.take(Buffer.concat([Buffer.from(`${line}${server}${node}`), key.bytes]));
    await writeFileAtomic(await this.#parts.locate(), text.bytes);
  }

  /** Of a node that issues its certificates itself. */
  async remove(): Promise<void> {
    await removeFileDurably(await this.#parts.locate());
  }

  #broken(path: string, reason: string): undefined {
    this.#parts.log.warn(
      { path, reason },
      'the certificate of before can not be used: another one is asked for',
    );
    return undefined;
  }
}

function parse(bytes: Buffer): KeptCertificate | undefined {
  const at = bytes.indexOf(beginOfKey);
  if (at < 0) return undefined;
  const before = bytes.subarray(0, at).toString('latin1');
  const [server, node] = before.match(certificates) ?? [];
  const [line = ''] = before.split('\n', 1);
  const told = line.startsWith(controlPlanesLine) ? line.slice(controlPlanesLine.length).split(' ') : [];
  if (server === undefined) return undefined;
  const key = Secret.copy(bytes.subarray(at));
  if ([server, node].every((crt) => crt === undefined || belongs(crt, key)))
    return { server, node, key, controlPlanes: knownAddresses(told) };
  key[Symbol.dispose]();
  return undefined;
}

function belongs(crt: string, key: Secret): boolean {
  try {
    return readCertificate(crt).checkPrivateKey(createPrivateKey(key.bytes));
  } catch {
    return false; // the caller says so; an error could describe the bytes
  }
}

import {
  type Descriptor,
  digestOf,
  formatIndex,
  formatManifest,
  mediaTypes,
  type StoredManifest,
} from '@nodecore/oci';
import { View } from '@nodecore/view';

import { FactoryError } from '../errors.ts';
import { Once } from '../once.ts';
import type { Reported, Reports } from '../reports/reports.ts';
import { attest, bundleType, predicates } from './attestation.ts';
import type { Installer } from './installer.ts';
import type { InstallerKey } from './installer-key.ts';
import type { Asset } from './asset.ts';

/** What is said of an installer, as its registry has it. */
export type Evidence = {
  /** By digest: what refers to it, and of clients that know no referrers the lists of those. */
  readonly manifests: ReadonlyMap<string, StoredManifest>;
  readonly blobs: ReadonlyMap<string, View>;
  /** By the digest of the index or the manifest. */
  readonly referrers: ReadonlyMap<string, readonly Descriptor[]>;
};

/** Installers of a version, and what they were asked for as. */
export type Attested = Omit<Reported, 'architecture'> &
  Pick<Asset, 'platform' | 'isSecureBoot'> & {
    readonly repository: string;
    readonly index: StoredManifest;
    /** One for each architecture in the index. */
    readonly installers: readonly Installer[];
  };

const spdx = 'application/spdx+json';
/** Each is as large as the document of what the image is made of, twice. */
const kept = 16;
const nothing = Buffer.from('{}');

/**
 * Says of installers what they are made of, from what they came, and that they are this factory's, signed by the key that nodes have.
 * Nothing is stored: the same installer has the same evidence.
 */
export class InstallerEvidence {
  readonly #reports: Reports;
  readonly #key: InstallerKey;
  readonly #source: string;
  readonly #evidence = new Once<Evidence>(kept);

  constructor(options: {
    readonly reports: Reports;
    readonly key: InstallerKey;
    /** External URL of the factory. */
    readonly source: string;
  }) {
    this.#reports = options.reports;
    this.#key = options.key;
    this.#source = options.source;
  }

  async of(attested: Attested): Promise<Evidence> {
    const { repository, index } = attested;
    return await this.#evidence.get(`${repository}@${index.digest}`, async () => this.#make(attested));
  }

  async #make(attested: Attested): Promise<Evidence> {
    const { index, installers, repository: name } = attested;
    const found = new Collection();
    const say = (subject: StoredManifest, predicateType: string, predicate: object): void =>
      found.add(
        subject,
        bundleType,
        attest({ name, digest: subject.digest, predicateType, predicate }, this.#key),
        {
          'dev.sigstore.bundle.content': 'dsse-envelope',
          'dev.sigstore.bundle.predicateType': predicateType,
        },
      );
    say(index, predicates.signature, {});
    say(index, predicates.provenance, this.#provenance(attested));
    for (const { architecture, manifest } of installers) {
      const bill = await this.#billOf({ ...attested, architecture });
      say(manifest, predicates.signature, {});
      if (bill === undefined) continue;
      found.add(manifest, spdx, Buffer.from(bill));
      say(manifest, predicates.spdx, JSON.parse(bill) as object);
    }
    return found.evidence();
  }

  /** Undefined for a release that does not say what it is made of. */
  async #billOf(reported: Reported): Promise<string | undefined> {
    try {
      return await this.#reports.spdx(reported);
    } catch (error) {
      if (error instanceof FactoryError && error.code === 'ERR_FACTORY_UNSUPPORTED') return undefined;
      throw error;
    }
  }

  /** As SLSA has it: an image is what its schematic and its release make it, and nothing else. */
  #provenance({ schematic, release, platform, isSecureBoot, installers }: Attested): object {
    return {
      buildDefinition: {
        buildType: 'urn:nodecore:factory:installer:1',
        externalParameters: {
          schematic: schematic.id,
          version: release.version,
          platform: platform.name,
          architectures: installers.map(({ architecture }) => architecture),
          secureBoot: isSecureBoot,
        },
        resolvedDependencies: [
          {
            name: 'release.json',
            uri: `urn:nodecore:release:${release.version}`,
            digest: { sha256: release.digest },
          },
          {
            name: 'schematic',
            uri: `${this.#source}/schematics/${schematic.id}`,
            digest: { sha256: schematic.id },
          },
        ],
      },
      runDetails: { builder: { id: this.#source } },
    };
  }
}

/** Manifests of artifacts (OCI 1.1), each with one blob, by what they refer to. */
class Collection {
  readonly #manifests = new Map<string, StoredManifest>();
  readonly #blobs = new Map<string, View>([[digestOf(nothing), View.of(nothing)]]);
  readonly #referrers = new Map<string, Descriptor[]>();

  add(
    subject: StoredManifest,
    artifactType: string,
    content: Buffer,
    annotations?: Readonly<Record<string, string>>,
  ): void {
    const bytes = formatManifest({
      mediaType: mediaTypes.manifest,
      artifactType,
      config: describe(mediaTypes.empty, nothing),
      layers: [describe(artifactType, content)],
      subject: describe(subject.mediaType, subject.bytes),
      ...(annotations && { annotations }),
    });
    const descriptor = describe(mediaTypes.manifest, bytes);
    const { digest } = descriptor;
    this.#manifests.set(digest, { bytes, mediaType: mediaTypes.manifest, digest });
    this.#blobs.set(digestOf(content), View.of(content));
    const known = this.#referrers.get(subject.digest) ?? [];
    this.#referrers.set(subject.digest, [
      ...known,
      { ...descriptor, artifactType, ...(annotations && { annotations }) },
    ]);
  }

  evidence(): Evidence {
    for (const manifests of this.#referrers.values()) {
      const bytes = formatIndex({ mediaType: mediaTypes.index, manifests });
      const digest = digestOf(bytes);
      this.#manifests.set(digest, { bytes, mediaType: mediaTypes.index, digest });
    }
    return { manifests: this.#manifests, blobs: this.#blobs, referrers: this.#referrers };
  }
}

function describe(mediaType: string, bytes: Uint8Array): Descriptor {
  return { mediaType, digest: digestOf(bytes), size: bytes.length };
}

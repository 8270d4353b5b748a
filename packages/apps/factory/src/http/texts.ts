/** What crawlers are to leave alone: images of any size, and what is of one schematic. */
export const robots = `User-agent: *
Disallow: /cyclonedx/
Disallow: /image/
Disallow: /pxe/
Disallow: /scans/
Disallow: /schematics
Disallow: /spdx/
Disallow: /tokens
Disallow: /v2/
`;

/** What the factory is, for programs that read text (llmstxt.org). */
export function llms(externalUrl: string): string {
  return `# nodecore-factory

> Makes bootable images of the node OS of a schematic (what is different for you) and a release. Images are made as they are sent.

How to get an image:

1. POST a schematic, YAML or JSON, to ${externalUrl}/schematics. The answer has its \`id\`; the same schematic always has the same.
2. GET ${externalUrl}/versions for the releases, ${externalUrl}/version/VERSION/extensions/official for the extensions of one.
3. GET ${externalUrl}/image/ID/VERSION/NAME. Names are as \`metal-amd64.iso\`, \`metal-amd64.raw.zst\`, \`aws-arm64.raw.xz\`,
   \`metal-amd64-secureboot-uki.efi\`, \`kernel-amd64\`, \`initramfs-amd64.xz\`, \`cmdline-metal-amd64\`; with \`.sha256\` or \`.sha512\` behind
   them they are a line with the checksum, with \`.sigstore.json\` a signature, which the key ${externalUrl}/oci/cosign/signing-key.pub
   verifies. HEAD has the exact length; every range can be asked for.

A node upgrades to the image \`HOST/metal-installer/ID:VERSION\`. iPXE starts from ${externalUrl}/pxe/ID/VERSION/metal-amd64.

What an image is made of: ${externalUrl}/spdx/ID/VERSION/amd64, or \`/cyclonedx/…\`. What is known to be wrong with that, where the factory
has lists of vulnerabilities: ${externalUrl}/scans/ID/VERSION/amd64/scan.table, or \`scan.json\`; \`upgrades.json\` has what newer releases would change.

Errors are 4xx with a stable code, as \`ERR_FACTORY_ASSET\`, and the nearest names that there are; with \`Accept: application/json\` they
are \`application/problem+json\`. A factory that knows its callers takes a token: \`Authorization: Bearer\`.

- [All routes as OpenAPI 3.1](${externalUrl}/openapi.json)
- [Releases](${externalUrl}/versions)
`;
}

import { type Configure, formatOption, printFound, readFormat, shortSize, Table } from '@nodecore/cli';

import { type AccessFlags, addAccessFlags, readAccess } from './release-access.ts';

type Flags = AccessFlags & { readonly output: string };

export const configure: Configure = (command, terminal) => {
  command.description(
    'Looks at a release in a directory, in an OCI layout (oci:) or a registry (docker://).',
  );
  addAccessFlags(command.command('show <place>'))
    .description('Prints what was signed: version, architectures and files. Files are not read.')
    .addOption(formatOption())
    .action(async (text: string, flags: Flags) => {
      const format = await readFormat(flags.output);
      const { parsePlace } = await import('../mirror/place.ts');
      const place = parsePlace(text);
      const { showRelease } = await import('../mirror/mirror.ts');
      const { release, digest } = await showRelease(place, await readAccess(flags, terminal));
      const { version, channel, created, minimumVersion, architectures, files } = release;
      const rows = Object.entries(files).map(([path, { size, sha256 }]) => [
        path,
        shortSize(BigInt(size)),
        sha256,
      ]);
      await printFound(terminal, format, [{ ...release, digest }], {
        single: true,
        text: () =>
          `${version} (${channel}) of ${created} for ${Object.keys(architectures).join(', ')}; upgrades ${minimumVersion} and later\n` +
          `${digest}\n${new Table(['file', 'size', 'sha256']).format(rows)}`,
      });
    });
  addAccessFlags(command.command('verify <place>'))
    .description('Reads all of a release, and fails unless each byte is what was signed.')
    .addOption(formatOption())
    .action(async (text: string, flags: Flags) => {
      const format = await readFormat(flags.output);
      const { parsePlace } = await import('../mirror/place.ts');
      const place = parsePlace(text);
      const { verifyRelease } = await import('../mirror/mirror.ts');
      const { release, digest, sizeBytes } = await verifyRelease(place, await readAccess(flags, terminal));
      const { version, files } = release;
      const count = Object.keys(files).length;
      await printFound(terminal, format, [{ version, digest, files: count, sizeBytes }], {
        single: true,
        text: () =>
          `${version}: ${count} files, ${shortSize(sizeBytes)}, all as they were signed; ${digest}\n`,
      });
    });
};

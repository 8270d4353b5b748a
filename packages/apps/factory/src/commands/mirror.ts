import { type Configure, formatOption, printFound, readFormat, shortSize } from '@nodecore/cli';

import { type AccessFlags, addAccessFlags, readAccess } from './release-access.ts';

export const configure: Configure = (command, terminal) => {
  addAccessFlags(command)
    .description(
      'Copies a release: from docker://HOST/REPOSITORY:VERSION (a registry, or a factory: docker://HOST/os/release:VERSION), oci:DIRECTORY[:VERSION] (an OCI layout) or a release directory, to a repository, a layout, or a directory of releases. Its signature is proven first, each file has the digest that was signed, and the release is there when all of it is. Started again it goes on; another release of the same version is never replaced.',
    )
    .argument('<from>', 'where the release is')
    .argument('<to>', 'where it goes')
    .addOption(formatOption())
    .action(async (from: string, to: string, flags: AccessFlags & { readonly output: string }) => {
      const format = await readFormat(flags.output);
      const { formatPlace, parsePlace } = await import('../mirror/place.ts');
      const [source, target] = [parsePlace(from), parsePlace(to)];
      const access = await readAccess(flags, terminal);
      const { mirrorRelease } = await import('../mirror/mirror.ts');
      const { release, digest, sizeBytes, copiedBytes } = await mirrorRelease(source, target, {
        ...access,
        onFile: (path, size, isCopied) =>
          void terminal.error.write(`${path}: ${isCopied ? shortSize(BigInt(size)) : 'is there'}\n`),
      });
      const { version } = release;
      const found = {
        version,
        digest,
        from: formatPlace(source),
        to: formatPlace(target),
        sizeBytes,
        copiedBytes,
      };
      await printFound(terminal, format, [found], {
        single: true,
        text: () =>
          `${version} is at ${to}: ${shortSize(copiedBytes)} of ${shortSize(sizeBytes)} copied, ${digest}\n`,
      });
    });
};

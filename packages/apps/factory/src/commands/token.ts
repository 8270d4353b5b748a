import { type Configure, print, UsageError } from '@nodecore/cli';

import { configOption, readConfigurationFiles } from './configured.ts';

type Options = { readonly config: readonly string[]; readonly subject: string; readonly ttl?: string };

export const configure: Configure = (command, terminal) => {
  command.description('Makes tokens without a running factory.');
  command
    .command('bootstrap')
    .description(
      'Prints the token that issues the first ones: for any identity, any scope, and nothing else. Needs the private key that signs.',
    )
    .addOption(configOption())
    .requiredOption('--subject <identity>', 'whose it is; it can issue for others')
    .option('--ttl <duration>', 'how long it holds, as 720h (default: authentication.tokens.ttl.bootstrap)')
    .action(async ({ config, subject, ttl }: Options) => {
      const { authentication } = await readConfigurationFiles(config, terminal);
      if (authentication === undefined)
        throw new UsageError(
          'authentication.enabled is not true in --config: no factory would take the token',
        );
      if (authentication.keyPaths.length === 0)
        throw new UsageError(
          'authentication.tokens.keyPaths is empty: the key of a running factory is its own',
        );
      const { SigningKeys } = await import('../tokens/signing-keys.ts');
      const { bootstrapToken } = await import('../tokens/tokens.ts');
      const { token, expiresAt } = await bootstrapToken({
        keys: await SigningKeys.load(authentication.keyPaths),
        lifetimes: authentication.lifetimes,
        subject,
        ttl,
        now: new Date(),
      });
      terminal.error.write(
        `This token issues tokens for every identity until ${expiresAt.toISOString()}. It is recorded nowhere: to end it before, remove its key.\n`,
      );
      await print(terminal.out, `${token}\n`);
    });
};

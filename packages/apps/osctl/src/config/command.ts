import {
  completes,
  destroyingOption,
  destroys,
  formatOption,
  jsonOption,
  listOption,
  parseDuration,
  type Terminal,
} from '@nodecore/cli';
import { Argument, Option, type Command } from 'commander';

import { callsMethods } from '../auth/methods.ts';
import { examples } from '../examples.ts';
import { addConfigFlags, addGlobalFlags, globalFlagsOf } from '../flags.ts';
import { contextNames } from '../nodes/completers.ts';
import type { ConfigOptions } from './file.ts';

/** The subcommands of `osctl config` work on the client config file alone; only `new` calls a node, with os:admin. */
export function configure(command: Command, terminal: Terminal): void {
  addReaders(command, terminal);
  addSetters(command, terminal);
  addProxy(command, terminal);
  addContextCommands(command, terminal);
  for (const each of command.commands) addConfigFlags(each);
  addNew(command, terminal);
}

type Action<Flags> = (options: ConfigOptions, flags: Flags, args: readonly string[]) => Promise<void>;

/** A subcommand of config: its action gets the client config to work on, its flags and its arguments. */
function add<Flags extends object>(
  config: Command,
  terminal: Terminal,
  [name, summary]: readonly [name: string, summary: string],
  action: Action<Flags>,
): Command {
  return config
    .command(name)
    .description(summary)
    .action(async (...parameters: unknown[]) => {
      const command = parameters.at(-1) as Command;
      const { osconfig: flag, context } = globalFlagsOf(command);
      await action({ flag, context, terminal }, command.opts<Flags>(), command.args);
    });
}

function addReaders(config: Command, terminal: Terminal): void {
  type Output = { output: 'text' | 'json' | 'yaml' };
  add<Output>(config, terminal, ['info', 'print the context in use'], async (options, { output }) => {
    const { printInfo } = await import('./info.ts');
    await printInfo(options, output);
  })
    .addOption(
      new Option('-o, --output <format>', 'how to print it')
        .choices(['text', 'json', 'yaml'])
        .default('text'),
    )
    .addHelpText('after', examples('osctl config info -o yaml'));
  add<{ output: string }>(
    config,
    terminal,
    ['contexts', 'list the contexts'],
    async (options, { output }) => {
      const { printContexts } = await import('./contexts.ts');
      await printContexts(options, output);
    },
  )
    .alias('get-contexts')
    .addOption(formatOption())
    .addHelpText('after', examples('osctl config contexts'));
}

function addSetters(config: Command, terminal: Terminal): void {
  add(config, terminal, ['context', 'make a context current'], async (options, _flags, [name = '']) => {
    const { useContext } = await import('./set.ts');
    await useContext(options, name);
  })
    .alias('use-context')
    .addArgument(completes(new Argument('<name>'), contextNames))
    .addHelpText('after', examples('osctl config context prod'));
  add(
    config,
    terminal,
    ['endpoint', 'set where the client connects to'],
    async (options, _flags, endpoints) => {
      const { setEndpoints } = await import('./set.ts');
      await setEndpoints(options, endpoints);
    },
  )
    .alias('endpoints')
    .argument('<endpoints...>')
    .addHelpText('after', examples('osctl config endpoint 10.0.0.2 10.0.0.3'));
  add(config, terminal, ['node', 'set the nodes that commands are for'], async (options, _flags, nodes) => {
    const { setNodes } = await import('./set.ts');
    await setNodes(options, nodes);
  })
    .alias('nodes')
    .argument('[nodes...]', 'none: commands need -n, or go to the endpoint')
    .addHelpText('after', examples('osctl config node 10.0.0.5 10.0.0.6'));
}

function addProxy(config: Command, terminal: Terminal): void {
  add(
    config,
    terminal,
    ['proxy-url', 'print or set what connections of the context go through'],
    async (options, _flags, [url]) => {
      const { printProxy, setProxy } = await import('./set.ts');
      if (url === undefined) await printProxy(options);
      else await setProxy(options, url);
    },
  )
    .argument(
      '[url]',
      'http://host:port, https://host:port or socks5://host:port; direct: none; empty: as $HTTPS_PROXY, $ALL_PROXY and $NO_PROXY say',
    )
    .addHelpText(
      'after',
      `
Examples:
  osctl config proxy-url socks5://127.0.0.1:1080
  osctl config proxy-url direct`,
    );
}

function addNew(config: Command, terminal: Terminal): void {
  type Flags = { roles?: readonly string[]; crtTtl: number; json?: true };
  const command = config
    .command('new')
    .description(
      'Writes a client config with a new certificate, which a control plane issues; the key is made here. Needs os:admin.',
    )
    .argument('[file]', 'what to write; a file that exists is refused', 'osconfig')
    .addOption(listOption('--roles <roles>', 'what it may (default: os:admin)'))
    .addOption(
      new Option('--crt-ttl <duration>', 'how long the certificate is valid; ten years at most')
        .argParser(parseDuration)
        .default(8_760 * 3_600_000, '8760h'),
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  osctl config new --roles os:reader --crt-ttl 24h
  osctl config new backup.osconfig --roles os:kvstore:backup`,
    );
  callsMethods(command, 'MachineService/GenerateClientConfiguration');
  addGlobalFlags(command);
  command.action(async (file: string, flags: Flags) => {
    const { newConfig } = await import('./new.ts');
    await newConfig(file, { ...globalFlagsOf(command), roles: ['os:admin'], ...flags }, terminal);
  });
}

function addContextCommands(config: Command, terminal: Terminal): void {
  type Credentials = { ca?: string; crt?: string; key?: string };
  add<Credentials>(config, terminal, ['add', 'add a context'], async (options, flags, [name = '']) => {
    const { addContext } = await import('./add.ts');
    await addContext(options, name, flags);
  })
    .argument('<name>')
    .option('--ca <file>', 'certificate of the authority of its nodes')
    .option('--crt <file>', 'client certificate; goes with --key')
    .option('--key <file>', 'key of the client certificate')
    .addHelpText('after', examples('osctl config add prod --ca ca.crt --crt admin.crt --key admin.key'));
  add<{ output: string }>(
    config,
    terminal,
    ['merge', 'take over the contexts of another file'],
    async (options, { output }, [file = '']) => {
      const { mergeFile } = await import('./merge.ts');
      await mergeFile(options, file, output);
    },
  )
    .argument('<file>')
    .addOption(formatOption())
    .addHelpText('after', examples('osctl config merge other.osconfig'));
  add(
    config,
    terminal,
    ['rename', 'give a context another name'],
    async (options, _flags, [from = '', to = '']) => {
      const { renameContext } = await import('./set.ts');
      await renameContext(options, from, to);
    },
  )
    .addArgument(completes(new Argument('<name>', 'its name now'), contextNames))
    .argument('<new-name>')
    .addHelpText('after', examples('osctl config rename prod production'));
  type Removal = { yes?: true; dryRun?: true; output: string };
  const remove = add<Removal>(
    config,
    terminal,
    ['remove', 'remove contexts by a pattern'],
    async (options, flags, [pattern = '']) => {
      const { removeContexts } = await import('./remove.ts');
      await removeContexts(options, pattern, flags);
    },
  );
  destroys(remove)
    .argument('<pattern>', 'name, with * and ? for any characters and any character')
    .addOption(destroyingOption('-y, --yes', 'do not ask'))
    .option('--dry-run', 'only say what would be removed')
    .addHelpText('after', examples('osctl config remove "test-*" --dry-run'))
    .addOption(formatOption());
}

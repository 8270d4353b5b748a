import { booleanOption, formatOption, parseDuration, type Terminal } from '@nodecore/cli';
import { type Command, Option } from 'commander';

/** How a command waits for what it has begun. */
export type WaitFlags = {
  readonly wait: boolean;
  /** Milliseconds. */
  readonly timeout: number;
  /** Tell everything that is seen, with its time; implies waiting. */
  readonly debug?: true;
  readonly progress: 'auto' | 'plain';
  readonly output: string;
};

/** What is moved away from a node before it goes. */
export type DrainFlags = { readonly drain?: boolean; readonly drainTimeout: number };

/** Adds --wait, --debug, --timeout, --progress and -o. */
export function addWaitFlags(command: Command, waitsFor: string): void {
  command
    .addOption(booleanOption('--wait [boolean]', `wait until ${waitsFor}`, true))
    .option(
      '--debug',
      'tell everything that is seen meanwhile, with its time, and what the kernel says; waits',
    )
    .addOption(
      new Option('--timeout <duration>', 'how long it may take')
        .argParser(parseDuration)
        .default(1_800_000, '30m0s'),
    )
    .addOption(progressOption())
    .addOption(formatOption());
}

/** How what goes on at nodes is shown. */
function progressOption(): Option {
  return new Option('--progress <kind>', 'auto: one line a node on a terminal; plain: line after line')
    .choices(['auto', 'plain'])
    .default('auto');
}

/** Adds --drain and --drain-timeout. Who asks to drain is told that there is nothing to do it with. */
export function addDrainFlags(command: Command, isDefault: boolean, terminal: Terminal): void {
  command.hook('preAction', () => {
    const isAsked =
      command.getOptionValueSource('drain') === 'cli' && command.getOptionValue('drain') === true;
    if (isAsked)
      terminal.error.write('--drain moves nothing: nodes of this version run no orchestrator to drain for\n');
  });
  command
    .addOption(
      booleanOption(
        '--drain [boolean]',
        'move what an orchestrator runs here to other nodes first; this version runs none',
        isDefault,
      ),
    )
    .addOption(
      new Option('--drain-timeout <duration>', 'how long that may take')
        .argParser(parseDuration)
        .default(300_000, '5m0s'),
    );
}

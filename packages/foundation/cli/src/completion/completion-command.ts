import { Argument, type Command } from 'commander';
import { completionScript, shells, type Shell } from './script.ts';
import { print, type Terminal } from '../terminal.ts';

export function configure(command: Command, terminal: Terminal): void {
  const program = command.parent?.name() ?? command.name();
  command
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText(
      'after',
      `
To load it in every session:
  bash  ${program} completion bash > /etc/bash_completion.d/${program}
  zsh   ${program} completion zsh > "\${fpath[1]}/_${program}"      (zsh 5.2 or later)
  fish  ${program} completion fish > ~/.config/fish/completions/${program}.fish`,
    )
    .action(async (shell: Shell) => {
      await print(terminal.out, completionScript(shell, program));
    });
}

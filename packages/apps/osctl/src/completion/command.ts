import { Argument, type Command } from 'commander';
import { completionScript, shells, type Shell } from './script.ts';
import { print, type Terminal } from '../terminal.ts';

export function configure(command: Command, terminal: Terminal): void {
  command
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText(
      'after',
      `
To load it in every session:
  bash  osctl completion bash > /etc/bash_completion.d/osctl
  zsh   osctl completion zsh > "\${fpath[1]}/_osctl"      (zsh 5.2 or later)
  fish  osctl completion fish > ~/.config/fish/completions/osctl.fish`,
    )
    .action(async (shell: Shell) => {
      await print(terminal.out, completionScript(shell));
    });
}

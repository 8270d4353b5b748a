import type { Command } from 'commander';

const called = new WeakMap<Command, readonly string[]>();

/** Says which methods of the node API a command calls: `auth can-i` asks nodes about them. */
export function callsMethods(command: Command, ...methods: readonly string[]): Command {
  called.set(command, methods);
  return command;
}

/** Whether a command has said what it calls. */
export function saysWhatItCalls(command: Command): boolean {
  return called.has(command);
}

/** The methods that a command calls; of a group, those of all its commands. A command that asks no node calls none. */
export function methodsOf(command: Command): readonly string[] {
  return [...(called.get(command) ?? []), ...command.commands.flatMap(methodsOf)];
}

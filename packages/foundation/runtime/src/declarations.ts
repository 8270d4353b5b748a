import { isSame } from './access.ts';
import type { Controller } from './controller.ts';
import type { Output } from './declaration.ts';
import { RuntimeError } from './errors.ts';

/**
 * Checks a controller by itself and beside those that are registered.
 *
 * @throws {RuntimeError} `ERR_RUNTIME_NAME_TAKEN`, `ERR_RUNTIME_OUTPUT_TAKEN`, `ERR_RUNTIME_DECLARATION`.
 */
export function checkDeclarations(controller: Controller, others: readonly Controller[]): void {
  const { name, inputs, outputs, outside } = controller;
  const refuse = (message: string): never => {
    throw new RuntimeError('ERR_RUNTIME_DECLARATION', name, message);
  };
  if (others.some((other) => other.name === name))
    throw new RuntimeError('ERR_RUNTIME_NAME_TAKEN', name, 'the name is taken');
  // It is part of ids and of finalizers.
  if (!/^[a-z][a-z0-9.-]*$/.test(name)) refuse('a name has small letters, digits, points and hyphens');
  if (outside === undefined && !inputs.some(({ strength }) => strength !== 'awaiting-destruction'))
    refuse('has nothing that could wake it');
  for (const [index, output] of outputs.entries()) {
    if (outputs.findIndex((one) => isSame(one, output)) !== index) refuse(`writes ${output.type} twice`);
    const isHeld = inputs.some((input) => input.strength === 'strong' && isSame(input, output));
    if (isHeld) refuse(`holds its own output ${output.type}`);
    checkWriters(controller, output, others);
  }
  for (const { strength, ...input } of inputs) {
    if (strength === 'awaiting-destruction' && !outputs.some((output) => isSame(output, input)))
      refuse(`awaits the destruction of ${input.type}, which it does not write`);
  }
}

function checkWriters({ name }: Controller, output: Output, others: readonly Controller[]): void {
  for (const other of others) {
    const theirs = other.outputs.find((one) => isSame(one, output));
    if (theirs === undefined) continue;
    if (theirs.mode === 'exclusive' || output.mode === 'exclusive') {
      const message = `${output.type} is written by ${other.name}: both must share it`;
      throw new RuntimeError('ERR_RUNTIME_OUTPUT_TAKEN', name, message);
    }
  }
}

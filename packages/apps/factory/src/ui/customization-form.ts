import { type Schematic, SchematicError } from '@nodecore/schematic';

import { FactoryError } from '../errors.ts';
import type { State } from './state.ts';

/**
 * The schematic of a form, as text. What is in it is looked at when it is submitted, as with any other.
 *
 * @throws {FactoryError} with `ERR_FACTORY_REQUEST` for lines that are no values of META.
 */
export function schematicText(state: State, embedded: string): string {
  const schematic: Schematic = {
    customization: {
      embeddedMachineConfiguration: embedded.replaceAll(/\r\n?/g, '\n').replace(/^\n+/, ''),
      extraKernelArgs: state.cmdline.split(/\s+/).filter((word) => word !== ''),
      meta: metaOf(state.meta),
      systemExtensions: { officialExtensions: state.extensions ?? [] },
      ...(state.bootloader === '' ? {} : { bootloader: state.bootloader as 'sd-boot' }),
      ...(state.enrollment === '' ? {} : { secureboot: { enrollKeys: state.enrollment as 'off' } }),
    },
  };
  return JSON.stringify(schematic);
}

/** What a person is told of a refusal: the field, and not the place in a text that they have never seen. */
export function refusalOf(error: unknown): string | undefined {
  if (error instanceof SchematicError) {
    const place = `line ${error.line}, column ${error.column}: `;
    return error.message.startsWith(place) ? error.message.slice(place.length) : error.message;
  }
  return error instanceof FactoryError && error.kind === 'invalid' ? error.message : undefined;
}

function metaOf(text: string): readonly { readonly key: number; readonly value: string }[] {
  const lines = text.split(/\r\n?|\n/);
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    const match = /^\s*(?<key>0x[0-9a-f]{1,2}|\d{1,3})=(?<value>.*)$/iu.exec(line);
    if (match === null)
      throw new FactoryError(
        'ERR_FACTORY_REQUEST',
        `META: line ${index + 1}: must be a key and a value, as 0x0a=text`,
      );
    const { key, value = '' } = match.groups ?? {};
    return [{ key: Number(key), value }];
  });
}

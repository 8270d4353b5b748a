import { type Configure, print, readNamedText } from '@nodecore/cli';
import { canonicalText, parseSchematic, schematicId } from '@nodecore/schematic';

export const configure: Configure = (command, terminal) => {
  command.description('Reads schematics without a factory.');
  command
    .command('id <file>')
    .description('Prints the ID that every factory gives the schematic.')
    .action(async (file: string) => {
      await print(terminal.out, `${schematicId(parseSchematic(await readNamedText(file, 'FILE')))}\n`);
    });
  command
    .command('show <file>')
    .description('Prints the canonical text that the ID is of.')
    .action(async (file: string) => {
      await print(terminal.out, canonicalText(parseSchematic(await readNamedText(file, 'FILE'))));
    });
};

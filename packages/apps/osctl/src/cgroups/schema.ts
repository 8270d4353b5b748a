import {
  isPresetName,
  parseSchemaFile,
  presetNames,
  presetSchema,
  type Schema,
  SchemaError,
} from '@nodecore/cgroup/schema';
import { readNamedText, UsageError } from '@nodecore/cli';

export type SchemaFlags = { readonly preset?: string; readonly schemaFile?: string };

/** The columns that the flags name, compiled before any node is asked. @throws {UsageError} */
export async function readSchema({ preset, schemaFile }: SchemaFlags): Promise<Schema> {
  if (preset !== undefined && schemaFile !== undefined)
    throw new UsageError('--preset and --schema-file exclude each other; give one of them');
  if (preset !== undefined) {
    if (isPresetName(preset)) return presetSchema(preset);
    throw new UsageError(`invalid preset name: ${preset} (valid [${presetNames.join(' ')}])`);
  }
  if (schemaFile === undefined)
    throw new UsageError(
      `either schema file or preset must be specified: --preset ${presetNames.join('|')}, or --schema-file <file>`,
    );
  const text = await readNamedText(schemaFile, '--schema-file');
  try {
    return parseSchemaFile(text);
  } catch (error) {
    if (error instanceof SchemaError) throw new UsageError(`${schemaFile}: ${error.message}`);
    throw error;
  }
}

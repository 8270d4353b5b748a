export { canonicalText } from './canonical.ts';
export { type Position, SchematicError, type SchematicErrorCode } from './errors.ts';
export { isSchematicId, schematicId } from './id.ts';
export { limits } from './limits.ts';
export { parseSchematic } from './parse.ts';
export {
  type Bootloader,
  bootloaders,
  type Customization,
  type Enrollment,
  enrollments,
  type MetaValue,
  type OptionValue,
  type Schematic,
} from './schematic.ts';

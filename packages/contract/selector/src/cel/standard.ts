import { conversions } from './conversions.ts';
import { Language } from './language.ts';
import { optionalFunctions } from './optionals.ts';
import { textFunctions } from './texts.ts';
import { timeFunctions } from './time-functions.ts';
import { TypeName } from './values.ts';

const types = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'list', 'map', 'null_type', 'type'];
const messages = ['google.protobuf.Timestamp', 'google.protobuf.Duration'];

/** CEL with its standard library, and nothing else declared. */
export function standardLanguage(): Language {
  const language = new Language();
  language.addFunction(...conversions(), ...textFunctions(), ...timeFunctions(), ...optionalFunctions());
  for (const name of [...types, ...messages]) language.addConstant(name, 'type', new TypeName(name));
  return language;
}

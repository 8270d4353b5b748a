import { stringifyJson } from '@nodecore/sys/pure';

/** What JSON and YAML leave as it is and a terminal obeys, or what turns the order of the text behind it. */
const raw = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
// oxlint-disable-next-line no-control-regex -- these are the ones
const moving = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

export function hasRaw(text: string): boolean {
  return text.search(raw) !== -1;
}

/** Text in which they stand in double quotes only, of JSON or of YAML: both read the escape as the character. */
export function escapeRaw(text: string): string {
  return text.replaceAll(raw, (character) => String.raw`\u${hex(character, 4)}`);
}

/** JSON that moves no cursor, and has the same value. */
export function visibleJson(value: unknown, indent?: number): string {
  return value === undefined ? 'null' : escapeRaw(stringifyJson(value, indent));
}

/** A text of a node for a terminal, as `osctl read` shows a file: lines and tabs stay, other characters that move the cursor are escaped. */
export function visibleText(text: string): string {
  return text.replaceAll(moving, (character) =>
    character < '\u0100' ? String.raw`\x${hex(character, 2)}` : String.raw`\u${hex(character, 4)}`,
  );
}

function hex(character: string, digits: number): string {
  return character.codePointAt(0)!.toString(16).padStart(digits, '0');
}

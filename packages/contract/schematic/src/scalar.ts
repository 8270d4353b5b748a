import { isPlainText } from './plain.ts';

/**
 * A text as the canonical text has it: plain, quoted, or a literal block.
 *
 * @param indent columns before the lines of a literal block.
 */
export function emitText(text: string, indent: number): string {
  if (text.includes('\n')) return isBlock(text) ? block(text, indent) : doubleQuoted(text);
  if (!isPlainText(text)) return doubleQuoted(text);
  if (isPlain(text)) return text;
  return hasUnprintable(text) || text.includes('\t') ? doubleQuoted(text) : singleQuoted(text);
}

/** Nothing in the text means something else to YAML. */
function isPlain(text: string): boolean {
  return (
    !/^[,#[\]{}&*!|>'"%@`]/.test(text) &&
    !/^[-?:](?:[ \t]|$)/.test(text) &&
    !/^(?:---|\.\.\.)/.test(text) &&
    !/:(?:[ \t]|$)/.test(text) &&
    !/[ \t]#/.test(text) &&
    !/^ | $/.test(text) &&
    !text.includes('\t') &&
    !hasUnprintable(text)
  );
}

/** What is written by its number: above U+FFFF, and the two code points that are no characters. */
function hasUnprintable(text: string): boolean {
  return /[\u{10000}-\u{10ffff}\ufffe\uffff]/u.test(text);
}

function isBlock(text: string): boolean {
  return !text.endsWith(' ') && !text.includes(' \n') && !hasUnprintable(text);
}

/**
 * A literal block. A text that begins with a newline loses it, as it did where the IDs were made; such texts are refused
 * when a schematic is read.
 */
function block(text: string, indent: number): string {
  const hint = /^[ \n]/.test(text) ? '4' : '';
  const ending = text === '\n' || text.endsWith('\n\n') ? '+' : text.endsWith('\n') ? '' : '-';
  const body = text.startsWith('\n') ? text.slice(1) : text;
  const lines = body.replace(/\n$/, '').split('\n');
  const indented = lines.map((line) => (line === '' ? '' : `${' '.repeat(indent)}${line}`));
  return body === '' ? `|${hint}${ending}` : `|${hint}${ending}\n${indented.join('\n')}`;
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

const escapes: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t' };

function doubleQuoted(text: string): string {
  const escaped = text.replace(/["\\\n\t\ufffe\uffff]|[\u{10000}-\u{10ffff}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return escapes[character] ?? (code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code}`);
  });
  return `"${escaped}"`;
}

/** A float in the fewest digits that mean it, with an exponent below -4 and from 6 on. */
export function emitFloat(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value < 0 ? '-.inf' : '.inf';
  if (Object.is(value, -0)) return '-0';
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

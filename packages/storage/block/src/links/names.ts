/** What udev leaves in a name besides letters and digits of ASCII and everything beyond it. */
const safe = /[\w#+\-.:=@\u0080-\u{10ffff}]/u;

/** Text of a device in the name of a link: spaces at the ends go, those within become one underscore each, as does the rest. */
export function linkText(text: string): string {
  return safely(text.trim().replaceAll(/\s+/g, '_'));
}

/** The same without putting spaces together, as the rules of NVMe have it. */
export function linkTextAsItIs(text: string): string {
  return safely(text.trim());
}

/** A value that was put into a link's name as it is. A slash is left: the link gets a directory of its own. */
export function linkValue(text: string): string {
  return text.trim().replaceAll(/\s+/g, '_').split('/').map(safely).join('/');
}

/** A label or UUID, as libblkid encodes it: what is not safe becomes `\x20`, byte by byte. */
export function encoded(text: string): string {
  return each(text, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function safely(text: string): string {
  return each(text, () => '_');
}

function each(text: string, replace: (character: string) => string): string {
  return text.replaceAll(/./gsu, (character) => (safe.test(character) ? character : replace(character)));
}

/** One block of a bundle. */
export type PemBlock = {
  readonly label: string;
  /** The block alone, with its line break. */
  readonly pem: string;
  /** Of its first line in the text; counted from 1. */
  readonly line: number;
};

export type PemMistake = { readonly message: string; readonly line: number };

const base64 = /^[A-Za-z0-9+/]*={0,2}$/u;
const begin = /^-----BEGIN (?<label>[A-Z0-9 ]+)-----$/u;

/**
 * The blocks of a PEM text, with empty lines and `#` comments between them and nothing else: other text would be kept,
 * and shown, unread.
 */
export function splitPem(text: string): PemBlock[] | PemMistake {
  const blocks: PemBlock[] = [];
  const lines = text.split('\n').map((line) => line.trim());
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line === '' || line.startsWith('#')) continue;
    const label = begin.exec(line)?.groups?.['label'];
    if (label === undefined) return { message: 'text that is in no PEM block', line: at + 1 };
    const end = lines.indexOf(`-----END ${label}-----`, at);
    const next = lines.findIndex((one, index) => index > at && begin.test(one));
    if (end === -1 || (next !== -1 && next < end)) {
      return { message: 'a PEM block that does not end', line: at + 1 };
    }
    if (!lines.slice(at + 1, end).every((one) => base64.test(one))) {
      return { message: 'text that is not base64 in a PEM block', line: at + 1 };
    }
    blocks.push({ label, pem: `${lines.slice(at, end + 1).join('\n')}\n`, line: at + 1 });
    at = end;
  }
  return blocks;
}

/** Tells the result of {@link splitPem} apart: the first mistake, or the blocks, of which there may be none. */
export function isPemMistake(result: PemBlock[] | PemMistake): result is PemMistake {
  return !Array.isArray(result);
}

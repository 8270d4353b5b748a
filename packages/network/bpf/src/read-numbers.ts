import { largestProgram } from './instruction.ts';
import type { Lexer, Token } from './lexer.ts';
import { Listing } from './listing.ts';

/** `tcpdump -dd`: an initializer in braces for each instruction; commas between them may be missing. */
export function readInitializers(lexer: Lexer): Listing {
  const listing = new Listing(lexer);
  while (lexer.peek().kind !== 'end') {
    const token = lexer.peek();
    lexer.expect('{');
    const code = lexer.number();
    lexer.expect(',');
    const jt = lexer.number();
    lexer.expect(',');
    const jf = lexer.number();
    lexer.expect(',');
    const k = lexer.number();
    lexer.accept(',');
    lexer.expect('}');
    lexer.accept(',');
    listing.add(token, { code, jt, jf, k });
  }
  return listing;
}

/**
 * `tcpdump -ddd`: the number of instructions, then four numbers for each. Commas may stand between them, as bpf_asm
 * prints them and iptables and tc take them; a list without the leading count is read as well.
 */
export function readNumbers(lexer: Lexer): Listing {
  const listing = new Listing(lexer);
  const found: { readonly token: Token; readonly value: number }[] = [];
  while (lexer.peek().kind !== 'end' && found.length <= 4 * largestProgram + 4) {
    found.push({ token: lexer.peek(), value: lexer.number() });
    lexer.accept(',');
  }
  const count = found.length % 4 === 1 ? found.shift() : undefined;
  for (let index = 0; index < found.length; index += 4) {
    const [code, jt, jf, k] = found.slice(index, index + 4);
    if (code === undefined || jt === undefined || jf === undefined || k === undefined) {
      throw lexer.unexpected('a number (an instruction is four of them)');
    }
    listing.add(code.token, { code: code.value, jt: jt.value, jf: jf.value, k: k.value });
  }
  if (count !== undefined && count.value !== listing.length) {
    const message = `${count.value} instructions are announced, ${listing.length} follow`;
    throw lexer.error(count.token, message);
  }
  return listing;
}

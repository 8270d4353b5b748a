/** A piece of a page. Only {@link html} makes one, so what comes from elsewhere is never one. */
export class Html {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** Joins the parts that were written here with values, each of which is escaped unless it is a piece itself. */
  static join(parts: readonly string[], values: readonly HtmlValue[]): Html {
    return new Html(
      parts.map((part, index) => (index === 0 ? part : `${textOf(values[index - 1])}${part}`)).join(''),
    );
  }

  toString(): string {
    return this.#text;
  }
}

/** What may stand in a piece; what is undefined or false leaves nothing. */
export type HtmlValue = string | number | Html | readonly HtmlValue[] | undefined | false;

/** A template of a page: values are text, also within attributes, which stand in double quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return Html.join(parts, values);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

function textOf(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map((one) => textOf(one)).join('');
  return String(value)
    .replaceAll(/\r\n?/g, '\n') // as browsers send the lines of a form
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, (character) => ('\n\t'.includes(character) ? character : '\ufffd'))
    .replaceAll(/[&<>"'`]/g, (character) => entities[character] ?? '');
}

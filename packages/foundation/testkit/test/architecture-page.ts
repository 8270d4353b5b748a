/** A row of the table of areas. */
export type AreaRow = {
  readonly area: string;
  /** Packages of the area, each with the neighbours that it may import. */
  readonly packages: ReadonlyMap<string, readonly string[]>;
  /** The areas that may be imported, `none` or `all`. */
  readonly areas: readonly string[];
  /** As it is written, for messages. */
  readonly line: string;
};

/**
 * The table of areas. In its second column, packages stand between semicolons: `a, b` are packages without neighbours, `a: b, c` is
 * one with two, and words behind `, which` explain.
 */
export function tableRows(page: string): readonly AreaRow[] {
  const [, table = ''] = /^\| Area \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(page) ?? [];
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [area = '', packages = '', areas = ''] = line
        .split('|')
        .slice(1)
        .map((cell) => cell.trim());
      return { area, packages: packagesOf(packages), areas: listed(areas), line };
    });
}

function packagesOf(cell: string): ReadonlyMap<string, readonly string[]> {
  const named = cell.split(';').flatMap((part): (readonly [string, readonly string[]])[] => {
    const [plain = ''] = part.split(', which');
    const [, name, neighbours] = /^\s*([\w-]+):\s*(.*)$/.exec(plain) ?? [];
    if (name !== undefined && neighbours !== undefined) return [[name, listed(neighbours)]];
    return listed(plain).map((each) => [each, []]);
  });
  return new Map(named);
}

function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/**
 * The names in the drawing, each with the area that it is drawn in: behind the area's name in its line, or in the lines
 * that follow, below it. A line that begins with the name of an area heads one; elsewhere such a name is a package.
 */
export function drawnPackages(page: string, areas: readonly string[]): ReadonlyMap<string, string> {
  const [, drawing = ''] = /^```\n([^`]*?\bapps\b[^`]*?)^```/m.exec(page) ?? [];
  const drawn = new Map<string, string>();
  let headings: readonly Word[] = [];
  for (const line of drawing.split('\n')) {
    if (line.includes('kernel and C libraries')) break; // what is below belongs to nobody of ours
    const words = wordsOf(line);
    const isHeading = areas.includes(words[0]?.text ?? '');
    const named = isHeading ? words.filter(({ text }) => areas.includes(text)) : [];
    if (isHeading) headings = named;
    for (const word of words) {
      const area = headings.findLast((heading) => heading.at <= word.at)?.text;
      if (area !== undefined && !named.includes(word)) drawn.set(word.text, area);
    }
  }
  return drawn;
}

type Word = { readonly text: string; readonly at: number };

/** Words of a line with their columns, without the remarks, which are sentences. Names stand two blanks apart, or one. */
function wordsOf(line: string): readonly Word[] {
  const parts = line
    .replaceAll(/[\u2500-\u257f]/gu, ' ')
    .replace(/\/ \(.*\)$/, '')
    .matchAll(/\S+(?: \S+)*/g);
  return [...parts].flatMap(({ 0: part, index }) =>
    isRemark(part)
      ? []
      : [...part.matchAll(/\S+/g)].map((word) => ({ text: word[0], at: index + word.index })),
  );
}

function isRemark(part: string): boolean {
  return part.split(' ').length > 2 || /[;:,]/.test(part);
}

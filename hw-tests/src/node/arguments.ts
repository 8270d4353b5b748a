import { parseArgs, type ParseArgsConfig } from 'node:util';

/**
 * Options of a command that takes nothing else.
 *
 * @throws {TypeError} with one line that says what can't be used.
 */
export function parseOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
): ReturnType<typeof parseArgs<{ readonly args: string[]; readonly options: Options }>>['values'] {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [sentence = ''] = error.message.split(/\.\s|\n/u);
    throw new TypeError(sentence.replace(/\.$/u, ''), { cause: error });
  }
}

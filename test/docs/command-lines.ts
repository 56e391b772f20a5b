import { readWords } from '../../src/cli/parse.ts';
import { fences, type Paper } from './papers.ts';

/** The command lines of the program that stand in a page's fences, without comments and redirections. */
export const commandLines = (page: Paper): string[] =>
  fences(page)
    .flatMap((fence) => fence.split('\n'))
    .flatMap((line) => /^(?:\$ )?(catersheet .*)$/.exec(line)?.[1] ?? [])
    .map((line) => line.replace(/\s+#.*$/, '').replace(/\s+>.*$/, ''));

/** The words of a command line, behind the program's name, as a shell takes them apart. */
export const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain).slice(1);

/** What the program says is wrong with a command line; null where it takes it. */
export const wrongWith = async (line: string): Promise<string | null> =>
  await readWords(wordsOf(line), 'en').then(
    () => null,
    (error: Error) => error.message,
  );

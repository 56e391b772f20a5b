import { type Bilingual, same, t } from '../../core/language.ts';

/** A word of a command line, or what is to be filled in there. */
export interface Word {
  readonly text: string;
  readonly blank?: Bilingual;
}

/** The words for what is to be filled in that differ in Dutch. */
const DUTCH: Readonly<Record<string, string>> = {
  FILE: 'BESTAND',
  TO: 'DOEL',
  DIR: 'MAP',
  NAME: 'NAAM',
  SECONDS: 'SECONDEN',
  ROW: 'RIJ',
  RESOURCE: 'WERKBLAD',
  'Field=value': 'Veld=waarde',
  VALUE: 'WAARDE',
  WHAT: 'WAT',
  IDS: 'NUMMER',
  ACTION: 'WAT',
  COMMAND: 'OPDRACHT',
};

/** What is to be filled in, in both languages: FILE, BESTAND. */
export const blankOf = (name: string): Bilingual => t(name, DUTCH[name] ?? name);

/** A word to be filled in. */
export const blank = (name: string): Word => ({ text: name, blank: blankOf(name) });

/** A field with a value to be filled in, for `--set`. */
export const setBlank = (field: string): Word => ({ text: `${field}=…`, blank: same(`${field}=…`) });

/** The words with those from a place on replaced. */
export const spliced = (
  words: readonly Word[],
  at: number,
  count: number,
  ...others: readonly Word[]
): Word[] => [...words.slice(0, at), ...others, ...words.slice(at + count)];

/** A word as it stands. */
export const word = (text: string): Word => ({ text });

/** The words of this command line. */
export const givenWords = (): string[] => wordsOf(process.argv.slice(2)).map(notAlone);

/** A bare --json would take the next word, the file, as its value. */
const notAlone = (text: string): string => (text === '--json' ? '--json=rows' : text);

/** Words without a `--`; what stands behind it is a name, also where it begins as a flag does. */
function wordsOf(given: readonly string[]): string[] {
  const at = given.indexOf('--');
  if (at < 0) return [...given];
  return [...given.slice(0, at), ...given.slice(at + 1).map((text) => text.replace(/^-(?=.)/, './-'))];
}

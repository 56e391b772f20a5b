import { type Bilingual, t } from '../../core/language.ts';

/** A word of a command line, or what is to be filled in there. */
export interface Word {
  readonly text: string;
  readonly blank?: Bilingual;
}

/** The words for what is to be filled in that differ in Dutch. */
const DUTCH: Readonly<Record<string, string>> = {
  FILE: 'BESTAND',
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

/** A word as it stands. */
export const word = (text: string): Word => ({ text });

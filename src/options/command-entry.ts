import type { Bilingual } from '../core/language.ts';

/** A word behind a command's name. */
export interface Positional {
  readonly name: string;
  readonly help: Bilingual;
  /** Never left out. */
  readonly required?: true;
  /** What is said where it is left out. */
  readonly ask?: Bilingual;
  /** May be several. */
  readonly many?: true;
  readonly choices?: readonly string[];
  /** What it chooses from, listed in its help. */
  readonly names?: readonly string[];
}

/** A command as help and docs show it; its flags are in the option table. */
export interface CommandEntry {
  readonly help: Bilingual;
  readonly positionals: readonly Positional[];
  /** What each command line does. */
  readonly examples: Readonly<Record<string, Bilingual>>;
}

import { existsSync } from 'node:fs';
import { normaliseHeader } from '../../core/header.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { CommandEntry, Positional } from '../../options/command-entry.ts';
import { COMMAND_LIST, COMMANDS } from '../../options/commands.ts';
import { resources } from '../../resources/registry.ts';
import { type Fault, LIKE_THIS, listText, looksLikeFile, MEANT } from './flag-faults.ts';
import { NAMES_OF } from './names.ts';
import { meant, resembling } from './near.ts';
import type { ReadWords } from './read-words.ts';
import { blank, spliced, type Word, word } from './words.ts';

const NAMES: readonly string[] = COMMAND_LIST.map(([name]) => name);

/** What is wrong with the word that should be a command. */
export function commandFault(words: readonly Word[], { command, commandAt }: ReadWords): Fault | undefined {
  if (command !== undefined) return undefined;
  const given = words[commandAt]?.text;
  if (given === undefined) return { message: t('Name a command.', 'Noem een opdracht.') };
  if (looksLikeFile(given) || existsSync(given))
    return {
      message: t(`${given} is no command.`, `${given} is geen opdracht.`),
      next: t('If you want to import it:', 'Als je het wilt importeren:'),
      fixed: [word('import'), ...words],
    };
  const near = meant(given, NAMES);
  const message = noCommand(given);
  if (near !== undefined) return { message, next: MEANT, fixed: spliced(words, commandAt, 1, word(near)) };
  const looks = resembling(given, NAMES);
  const list = (looks.length === 0 ? NAMES : looks).join(', ');
  return {
    message,
    next:
      looks.length === 0
        ? t(`The commands are ${list}.`, `De opdrachten zijn ${list}.`)
        : t(`Commands that look like it: ${list}.`, `Opdrachten die erop lijken: ${list}.`),
  };
}

/** The first thing that is wrong with the words behind a command. */
export async function behindFault(words: readonly Word[], read: ReadWords): Promise<Fault | undefined> {
  const { command, behind } = read;
  if (command === undefined) return undefined;
  const { positionals }: CommandEntry = COMMANDS[command];
  const split = splitName(words, behind);
  if (split !== undefined && positionals.some(({ name }) => name === 'file' || name === 'what')) return split;
  const last = positionals.at(-1);
  for (const [index, at] of behind.entries()) {
    const positional = positionals[index] ?? (last?.many === true ? last : undefined);
    const fault =
      positional === undefined
        ? tooMany(words, behind.slice(positionals.length), command)
        : await wrongWord(words, at, positional);
    if (fault !== undefined) return fault;
  }
  const lacking = positionals[behind.length];
  return lacking?.required === true ? tooFew(words, read, lacking) : undefined;
}

/** The parts of a file's name that stood without quotes. */
function splitName(words: readonly Word[], behind: readonly number[]): Fault | undefined {
  for (let from = 0; from < behind.length - 1; from++)
    for (let to = behind.length; to > from + 1; to--) {
      const run = behind.slice(from, to);
      const first = run[0] ?? 0;
      const name = run.map((at) => words[at]?.text).join(' ');
      if (run.at(-1) !== first + run.length - 1 || existsSync(words[first]?.text ?? '') || !existsSync(name))
        continue;
      return {
        message: t(
          `The name of the file "${name}" has blanks in it.`,
          `De naam van het bestand "${name}" heeft spaties.`,
        ),
        next: t('Put it between quotes:', 'Zet hem tussen aanhalingstekens:'),
        fixed: spliced(words, first, run.length, word(name)),
      };
    }
  return undefined;
}

function tooMany(words: readonly Word[], extra: readonly number[], command: string): Fault {
  const list = extra.map((at) => words[at]?.text).join(' ');
  return {
    message:
      extra.length === 1
        ? t(
            `There is a word too many behind ${command}: ${list}.`,
            `Er staat een woord te veel achter ${command}: ${list}.`,
          )
        : t(
            `There are words too many behind ${command}: ${list}.`,
            `Er staan woorden te veel achter ${command}: ${list}.`,
          ),
    next: LIKE_THIS,
    fixed: words.filter((_, at) => !extra.includes(at)),
  };
}

async function tooFew(
  words: readonly Word[],
  { command, commandAt, behind }: ReadWords,
  { name, choices, names, ask = LIKE_THIS }: Positional,
): Promise<Fault> {
  const list = choices ?? (names === undefined ? [] : await NAMES_OF[names]());
  const only = list.length === 1 ? list[0] : undefined;
  const [en, nl] = list.length === 0 ? ['', ''] : [`: ${listText(list, 'or')}`, `: ${listText(list, 'of')}`];
  const given = only === undefined ? blank(name.toUpperCase()) : word(only);
  return {
    message: t(`Something is missing behind ${command}${en}.`, `Er ontbreekt iets achter ${command}${nl}.`),
    next: ask,
    fixed: spliced(words, (behind.at(-1) ?? commandAt) + 1, 0, given),
  };
}

async function wrongWord(
  words: readonly Word[],
  at: number,
  positional: Positional,
): Promise<Fault | undefined> {
  const { text, blank: open } = words[at] ?? { text: '' };
  const { choices, names } = positional;
  if (open !== undefined) return undefined;
  if (choices !== undefined)
    return choices.includes(text) ? undefined : notOneOf(words, at, choices, noSuchWord(text));
  if (names === undefined) return undefined;
  const known = await NAMES_OF[names]();
  const sheets = names === 'commands' ? [] : resources.flatMap(({ name, sheet }) => [name, sheet]);
  const all = [...known, ...sheets].map(normaliseHeader);
  return all.includes(normaliseHeader(text))
    ? undefined
    : notOneOf(words, at, known, names === 'commands' ? noCommand(text) : noSheet(text));
}

function notOneOf(words: readonly Word[], at: number, names: readonly string[], message: Bilingual): Fault {
  const { text } = words[at] ?? { text: '' };
  const isFile = looksLikeFile(text) || existsSync(text);
  const near = isFile ? undefined : names.length === 1 ? names[0] : meant(text, names);
  const list =
    near === undefined ? t(` It takes: ${names.join(', ')}.`, ` Wel: ${names.join(', ')}.`) : t('', '');
  return {
    message: t(`${message.en}${list.en}`, `${message.nl}${list.nl}`),
    next: near === undefined ? LIKE_THIS : MEANT,
    fixed: isFile
      ? spliced(words, at, 1, word('--out'), word(text))
      : spliced(words, at, 1, near === undefined ? blank('WHAT') : word(near)),
  };
}

const noCommand = (given: string): Bilingual =>
  t(`There is no command ${given}.`, `Er is geen opdracht ${given}.`);
const noSheet = (given: string): Bilingual =>
  t(`There is no sheet ${given}.`, `Er is geen werkblad ${given}.`);
const noSuchWord = (given: string): Bilingual =>
  t(`${given} is not known here.`, `${given} is hier niet bekend.`);

import { existsSync } from 'node:fs';
import type { z } from 'zod';
import { type Bilingual, t } from '../../core/language.ts';
import type { Positional } from '../../options/command-entry.ts';
import { COMMAND_LIST, COMMANDS } from '../../options/commands.ts';
import { choicesOf, chosen, kebab, kindOf, type Option } from '../../options/option.ts';
import { OPTION_LIST } from '../../options/options.ts';
import { meant, resembling } from './near.ts';
import {
  type Entry,
  entriesOf,
  hasValue,
  isFlag,
  nearEntry,
  type ReadWords,
  type TypedFlag,
  typeOf,
  usualValue,
} from './read-words.ts';
import { blank, spliced, type Word, word } from './words.ts';

/** What is wrong with a command line. */
export interface Fault {
  readonly message: Bilingual;
  /** What stands before the corrected command, or the next step where there is none. */
  readonly next?: Bilingual | undefined;
  /** The words as they should be; what they still lack is looked for once more. */
  readonly fixed?: readonly Word[] | undefined;
}

/** The flags that every command takes. */
export const GLOBAL = ['help', 'version'] as const;

/** Before a command with a near name in it. */
export const MEANT = t('You may mean:', 'Misschien bedoel je:');
/** Before a command without what can't be in it. */
const WITHOUT = t('Without it:', 'Zonder:');
/** The same, where the command would otherwise send. */
const WITHOUT_DRY = t(
  'Without it, to see first what would be sent:',
  'Zonder, om eerst te zien wat er verstuurd zou worden:',
);
/** Before a command in place of one that sends. */
const TO_LOOK = t(
  'To look at the run, and send nothing:',
  'Om de run te bekijken, zonder iets te versturen:',
);
/** Where no command may be proposed, as it would send more. */
const NOT_WITHOUT = t(
  'Nothing was sent. Leave it out only if all that the command names may be sent.',
  'Er is niets verstuurd. Laat de vlag alleen weg als alles wat de opdracht noemt verstuurd mag worden.',
);
/** Before any other corrected command. */
export const LIKE_THIS = t('Type it like this:', 'Typ het zo:');

/** Names of files, which are taken for nothing else. */
export const looksLikeFile = (text: string): boolean => /\.(xlsx|xlsm|csv|ndjson|html|json)$/i.test(text);

/** The first thing that is wrong with the flags of a command line. */
export function flagFault(words: readonly Word[], read: ReadWords): Fault | undefined {
  for (const flag of read.flags) {
    const { entry } = flag;
    const fault = entry === undefined ? unknownFault(words, read, flag) : valueFault(words, flag, entry);
    if (fault !== undefined) return fault;
  }
  return twiceFault(words, read) ?? lackingFault(words, read);
}

function unknownFault(words: readonly Word[], read: ReadWords, flag: TypedFlag): Fault | undefined {
  const { command } = read;
  const { typed, at } = flag;
  const text = words[at]?.text ?? '';
  if (['--help', '-h', '--version', '-V'].includes(typed)) return undefined;
  if (looksLikeFile(typed))
    return {
      message: t(`${text} begins as a flag does.`, `${text} begint zoals een vlag.`),
      next: t('If it is a file:', 'Als het een bestand is:'),
      fixed: spliced(words, at, 1, word(`./${text}`)),
    };
  if (/^--token=?/.test(typed) && meant(typed, ['token']) !== undefined) return tokenFault(words, flag);
  const others = othersTaking(typed, command);
  if (others !== undefined) return { message: others, ...without(words, read, flag) };
  const message = t(`There is no flag ${typed}.`, `Er is geen vlag ${typed}.`);
  const entries = entriesOf(command);
  const near = nearEntry(typed, entries);
  const name = near === undefined ? meant(typed, GLOBAL) : kebab(near.flag);
  if (name !== undefined) return { message, next: MEANT, fixed: renamed(words, flag, `--${name}`) };
  const names = [...GLOBAL, ...entries.map(({ flag: one }) => kebab(one))];
  const looks = resembling(typed.replace(/^-+/, ''), names).map((one) => `--${one}`);
  const { fixed, next: rest } =
    command === undefined ? { fixed: undefined, next: undefined } : without(words, read, flag);
  if (looks.length === 0 || typed.length < 4) return { message, next: rest, fixed };
  const list = looks.join(', ');
  const { en, nl } = rest ?? t('', '');
  const like = t(`Flags that look like it: ${list}. ${en}`, `Vlaggen die erop lijken: ${list}. ${nl}`);
  return { message, next: t(like.en.trim(), like.nl.trim()), fixed };
}

/**
 * The words without a flag that the command does not take. It may have been meant to hold back: what is
 * proposed sends no more than that, as it only shows what would be sent, or asks for less.
 */
function without(words: readonly Word[], read: ReadWords, flag: TypedFlag): Pick<Fault, 'next' | 'fixed'> {
  const { command, commandAt, flags } = read;
  const given = flags.map(({ entry }) => entry?.flag);
  const left = leftOut(words, read, flag);
  if (command === undefined || !SENDING.includes(command) || given.includes('dryRun'))
    return { next: WITHOUT, fixed: left };
  if (entriesOf(command).some((entry) => entry.flag === 'dryRun'))
    return { next: WITHOUT_DRY, fixed: [...left, word('--dry-run')] };
  const holdsBack = meant(flag.typed, HOLD_BACK) !== undefined;
  if (!holdsBack && !given.includes('yes') && !given.includes('all')) return { next: WITHOUT, fixed: left };
  // A look asks nothing.
  const looks = left.filter(({ text = '' }) => !/^(-y|--yes)(=|$)/.test(text));
  if (command === 'apply') return { next: TO_LOOK, fixed: spliced(looks, commandAt, 1, word('runs')) };
  return { next: NOT_WITHOUT };
}

/** The commands that send. */
const SENDING: readonly string[] = ['import', 'apply', 'documents', 'orders', 'refresh'];
/** With these in mind less would be sent, or nothing. */
const HOLD_BACK = [
  'dry-run',
  'sheet',
  'only',
  'since',
  'from',
  'to',
  'file',
  'definitive',
  'offline',
  'strict',
];

/** The words without a flag that is not known, and without a word behind it that is likely its value. */
function leftOut(
  words: readonly Word[],
  { command, behind }: ReadWords,
  { at, typed, valueAt }: TypedFlag,
): Word[] {
  const positionals: readonly Positional[] = command === undefined ? [] : COMMANDS[command].positionals;
  const next = words[at + 1]?.text ?? '-';
  const takesMany = positionals.at(-1)?.many === true;
  const tooMany = behind.length > positionals.length && !takesMany;
  // Else `orders send 881 --limit 3` would become one that sends 3 too.
  const isMore = takesMany && command !== undefined && SENDING.includes(command);
  const elsewhere = OPTION_LIST.find(({ flag }) => `--${kebab(flag)}` === typed);
  const isCount = /^\d{1,6}$/.test(next);
  const takesValue = elsewhere === undefined ? tooMany || isMore || isCount : hasValue(elsewhere);
  const isValue =
    takesValue &&
    (valueAt !== undefined || behind.includes(at + 1)) &&
    !looksLikeFile(next) &&
    !existsSync(next);
  return spliced(words, at, isValue ? 2 : 1);
}

/** What is said of a flag that this command does not take, and others do. */
function othersTaking(typed: string, command: string | undefined): Bilingual | undefined {
  const taking = OPTION_LIST.filter(({ flag }) => `--${kebab(flag)}` === typed).flatMap(
    ({ commands }) => commands,
  );
  const known = COMMAND_LIST.map(([name]) => name).filter((name) => taking.includes(name));
  if (command === undefined || known.length === 0) return undefined;
  const does = known.length === 1 ? 'does' : 'do';
  return t(
    `${command} takes no ${typed}; ${listText(known, 'and')} ${does}.`,
    `${command} kent geen ${typed}; ${listText(known, 'en')} wel.`,
  );
}

/** Names in a sentence. */
export const listText = (names: readonly string[], and: string): string =>
  names.length === 1 ? `${names[0]}` : `${names.slice(0, -1).join(', ')} ${and} ${names.at(-1)}`;

/** A token that was typed is said nowhere. */
function tokenFault(words: readonly Word[], { at }: TypedFlag): Fault {
  const next = words[at + 1]?.text ?? '-';
  const apart = !words[at]?.text.includes('=') && !isFlag(next) && !looksLikeFile(next);
  return {
    message: t(
      'A token is no flag: others on this machine could see it. It is in CATERSHEET_TOKEN, or in a file.',
      'Een token is geen vlag: anderen op deze computer zouden het kunnen zien. Het staat in CATERSHEET_TOKEN, of in een bestand.',
    ),
    next: LIKE_THIS,
    fixed: spliced(words, at, apart ? 2 : 1, word('--token-file'), blank('FILE')),
  };
}

/** The words with a flag under another name; its value stays. */
function renamed(words: readonly Word[], { at, typed }: TypedFlag, name: string): Word[] {
  const text = words[at]?.text ?? '';
  return spliced(words, at, 1, word(`${name}${text.slice(typed.length)}`));
}

const NEGATIVE = /^(n|no|nee|0|off|uit)$/i;

function valueFault(words: readonly Word[], flag: TypedFlag, entry: Entry): Fault | undefined {
  const { typed, value, at, valueAt } = flag;
  const type = typeOf(entry);
  const name = `--${kebab(entry.flag)}`;
  if (kindOf(type) === 'boolean') {
    if (value === undefined || /^(true|false)$/.test(value)) return undefined;
    // Who types --yes=nee wants it left out; a dry run stays one, as without it more would be sent.
    const isOff = NEGATIVE.test(value) && entry.flag !== 'dryRun';
    return {
      message: t(`${typed} takes no value.`, `${typed} krijgt geen waarde.`),
      next: isOff ? WITHOUT : LIKE_THIS,
      fixed: spliced(words, at, 1, ...(isOff ? [] : [word(typed)])),
    };
  }
  if (hasValue(entry) && (value === undefined || (value === '' && entry.value === 'some')))
    return {
      message: lackText(typed, choicesOf(type) ?? []),
      next: LIKE_THIS,
      fixed: withValue(words, flag, usualValue(entry)),
    };
  if (value === undefined || (valueAt !== undefined && words[valueAt]?.blank !== undefined)) return undefined;
  const choices = choicesOf(type);
  if (choices !== undefined)
    return choices.includes(chosen(entry, value)) ? undefined : choiceFault(words, flag, entry, choices);
  return rangeFault(words, flag, entry, name);
}

function lackText(typed: string, choices: readonly string[]): Bilingual {
  const [en, nl] =
    choices.length === 0 ? ['', ''] : [`: ${listText(choices, 'or')}`, `: ${listText(choices, 'of')}`];
  return t(`${typed} lacks its value${en}.`, `De waarde van ${typed} ontbreekt${nl}.`);
}

function withValue(words: readonly Word[], { at, valueAt }: TypedFlag, value: Word): Word[] {
  const [flag = ''] = words[at]?.text.split('=') ?? [];
  return spliced(words, at, valueAt === undefined ? 1 : 2, word(flag), value);
}

function choiceFault(
  words: readonly Word[],
  flag: TypedFlag,
  entry: Entry,
  choices: readonly string[],
): Fault {
  const { value = '' } = flag;
  const name = `--${kebab(entry.flag)}`;
  const { also = {} }: Pick<Option, 'also'> = entry;
  const list = [listText(choices, 'or'), listText(choices, 'of')] as const;
  const near = choices.length === 1 ? choices[0] : nearChoice(value, choices, also);
  return {
    message: t(`${name} takes ${list[0]}, not ${value}.`, `Bij ${name} hoort ${list[1]}, niet ${value}.`),
    next: near === undefined ? LIKE_THIS : MEANT,
    fixed: withValue(words, flag, near === undefined ? blank('VALUE') : word(near)),
  };
}

/** The choice that is near to a word, by its own name or another. */
function nearChoice(
  value: string,
  choices: readonly string[],
  also: Option['also'] & object,
): string | undefined {
  const named = meant(value, [...choices, ...Object.keys(also)]);
  return named === undefined ? begunAlike(value, choices) : chosen({ also }, named);
}

/** The only choice with the same first letter, where it is as long, give or take a letter: mein for mine. */
function begunAlike(value: string, choices: readonly string[]): string | undefined {
  const alike = choices.filter((one) => one[0] === value[0] && Math.abs(one.length - value.length) < 2);
  return alike.length === 1 && value.length > 2 ? alike[0] : undefined;
}

function rangeFault(words: readonly Word[], flag: TypedFlag, entry: Entry, name: string): Fault | undefined {
  const { value = '' } = flag;
  const type = typeOf(entry);
  const kind = kindOf(type);
  if (kind !== 'number' && kind !== 'string') return undefined;
  const { error } = type.safeParse(kind === 'number' ? numberIn(value) : value);
  if (error === undefined) return undefined;
  const message = ownWords(error) ?? numberWords(name, type);
  if (kind === 'string') return { message };
  return { message, next: LIKE_THIS, fixed: withValue(words, flag, blank(entry.placeholder ?? 'N')) };
}

const numberIn = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

/** What a check of the table itself tells of a value that fails it. */
function ownWords({ issues }: z.ZodError): Bilingual | undefined {
  const [issue] = issues;
  return issue?.code === 'custom' ? (issue.params?.words as Bilingual | undefined) : undefined;
}

function numberWords(name: string, type: z.ZodType): Bilingual {
  const { minValue, maxValue, isInt } = type as z.ZodNumber;
  const whole = isInt ? t('a whole number', 'een geheel getal') : t('a number', 'een getal');
  if (isInt && maxValue === Number.MAX_SAFE_INTEGER)
    return t(
      `${name} must be ${whole.en}, ${minValue} or more.`,
      `${name} moet ${whole.nl} zijn, ${minValue} of meer.`,
    );
  if (Number.isFinite(maxValue))
    return t(
      `${name} must be ${whole.en} from ${minValue} to ${maxValue}.`,
      `${name} moet ${whole.nl} van ${minValue} tot en met ${maxValue} zijn.`,
    );
  return t(
    `${name} must be ${whole.en} above ${minValue}.`,
    `${name} moet ${whole.nl} boven ${minValue} zijn.`,
  );
}

/** A flag that takes one value and is given twice; the last one stays in what is proposed. */
function twiceFault(words: readonly Word[], { flags }: ReadWords): Fault | undefined {
  const single = flags.filter(
    ({ entry }) => entry !== undefined && hasValue(entry) && kindOf(typeOf(entry)) !== 'array',
  );
  const first = single.find((flag, at) => single.slice(at + 1).some(({ entry }) => entry === flag.entry));
  if (first?.entry === undefined) return undefined;
  const name = `--${kebab(first.entry.flag)}`;
  return {
    message: t(
      `${name} is given more than once, and takes one value.`,
      `${name} is meer dan eens gegeven, en krijgt één waarde.`,
    ),
    next: t('Keep one of them:', 'Houd er één over:'),
    fixed: spliced(words, first.at, first.valueAt === undefined ? 1 : 2),
  };
}

/** A flag that the command can't do without. */
function lackingFault(words: readonly Word[], { command, flags }: ReadWords): Fault | undefined {
  if (command === undefined) return undefined;
  const lacking = entriesOf(command).find(
    (entry) => entry.required === true && !flags.some((flag) => flag.entry === entry),
  );
  if (lacking === undefined) return undefined;
  const name = `--${kebab(lacking.flag)}`;
  return {
    message: t(`${command} needs ${name}.`, `${command} kan niet zonder ${name}.`),
    next: LIKE_THIS,
    fixed: [...words, word(name), usualValue(lacking)],
  };
}

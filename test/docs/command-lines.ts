import { runCli } from '../helpers/run-cli.ts';
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

/** A flag, as help shows it. */
interface Flag {
  readonly boolean: boolean;
  readonly required: boolean;
  /** What it may say; null where that is free. */
  readonly choices: readonly string[] | null;
}

/** A command, as the built program's own help shows it. */
export interface Shown {
  /** By what is typed: `--yes`, `-y`. */
  readonly flags: ReadonlyMap<string, Flag>;
  /** So many words have to follow its name, and so many may. */
  readonly least: number;
  readonly most: number;
}

const help = async (words: readonly string[]): Promise<string> => {
  const { code, stdout } = await runCli([...words, '--help']);
  if (code !== 0) throw new Error(`catersheet ${words.join(' ')} --help ended with ${code}.`);
  return stdout;
};

let shown: Promise<ReadonlyMap<string, Shown>> | undefined;

/** Every command that the program's help lists, with what its own help says of it. */
export function shownCommands(): Promise<ReadonlyMap<string, Shown>> {
  shown ??= readHelp();
  return shown;
}

async function readHelp(): Promise<ReadonlyMap<string, Shown>> {
  const [, list = ''] = /^Commands:\n([\s\S]*?)\n\n/m.exec(await help([])) ?? [];
  const names = [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name);
  return new Map(
    await Promise.all(names.map(async (name) => [name, parseHelp(await help([name]))] as const)),
  );
}

function parseHelp(text: string): Shown {
  const [usage = ''] = text.split('\n');
  const positionals = usage.split(' ').slice(2);
  const flags = new Map<string, Flag>();
  for (const [, short, name = '', value, about = ''] of text.matchAll(FLAG)) {
    const told = about.replace(/\s+/g, ' ').trim();
    // Choices stand behind their flag, or at the end where they are many.
    const many = /: ([a-z-]+(?:, [a-z-]+)+)$/.exec(told)?.[1]?.split(', ');
    const flag = {
      boolean: value === undefined,
      required: told.includes('(needed)'),
      choices: value === undefined ? null : /^[a-z|]+$/.test(value) ? value.split('|') : (many ?? null),
    };
    flags.set(`--${name}`, flag);
    if (flag.boolean) flags.set(`--no-${name}`, flag);
    if (short !== undefined) flags.set(`-${short}`, flag);
  }
  return {
    flags,
    least: positionals.filter((one) => !one.startsWith('[')).length,
    most: positionals.some((one) => one.includes('…')) ? Number.POSITIVE_INFINITY : positionals.length,
  };
}

/** A flag and all that stands behind it, up to the next one. */
const FLAG =
  /^ {2}(?:-(\w), | {4})--([a-z-]+)(?: (\S+))?\s+([\s\S]*?)(?=^ {2}(?:-\w, | {4})--|\n\n|$(?![\s\S]))/gm;

/** What is wrong with a command line; null where the program would take it. */
export function wrongWith(line: string, commands: ReadonlyMap<string, Shown>): string | null {
  const [name = '', ...words] = wordsOf(line);
  const command = commands.get(name);
  if (command === undefined) return `there is no command ${name}`;
  const given = new Set<string>();
  let positionals = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (!/^-\D/.test(word)) {
      positionals++;
      continue;
    }
    const [typed = '', ...rest] = word.split('=');
    const flag = command.flags.get(typed);
    if (flag === undefined) return `${name} takes no ${typed}`;
    given.add(typed);
    // A bare --json has no value; whatever else is no switch has one.
    const bare = flag.boolean || typed === '--json' || rest.length > 0;
    const value = bare ? rest.join('=') : words[++at];
    if (value === undefined) return `${typed} has no value`;
    if (flag.choices !== null && !flag.choices.includes(value)) return `${typed} can't be ${value}`;
  }
  const lacking = [...command.flags].find(([typed, { required }]) => required && !given.has(typed));
  if (lacking !== undefined) return `${lacking[0]} is missing`;
  if (given.has('--help')) return null;
  if (positionals < command.least) return 'a word is missing';
  return positionals > command.most ? 'there is a word too many' : null;
}

// Writes man/catersheet.1 from the option table, the command table and the exit codes of the built program.
// `man-page.mjs FOLDER` writes it there.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GROUPS, positionalHelp } from '../dist/cli/parse.js';
import { EXITS } from '../dist/core/errors.js';
import { COMMANDS } from '../dist/options/commands.js';
import { flagHelp, OPTION_LIST } from '../dist/options/options.js';
import { flagTyped, headOf, repeated } from './command-words.mjs';

const HERE = fileURLToPath(new URL('..', import.meta.url));
const [target = HERE] = process.argv.slice(2);

const names = Object.keys(COMMANDS);
/** The groups of flags that commands share; they are told once. */
const SHARED = ['service', 'run', 'output'];

/** Words as roff takes them; what is beyond ASCII by its code. */
const plain = (text) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(
      /[^\x20-\x7e]/gu,
      (sign) => `\\[u${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .replace(/^[.']/, '\\&$&');

const item = (head, text) => ['.TP', `\\fB${plain(head)}\\fR`, plain(text)];

const flagsOf = (name, groups) =>
  OPTION_LIST.filter(({ commands, group }) => commands.includes(name) && groups(group ?? 'own'));

const flagItems = (options) =>
  options.flatMap((option) =>
    item(
      flagTyped(option),
      `${flagHelp(option).en}${repeated(option)}${option.required === true ? ' (needed)' : ''}.`,
    ),
  );

function commandPart(name) {
  const { help, positionals, examples = {} } = COMMANDS[name];
  const behind = positionals.map((one) => item(one.name.toUpperCase(), `${positionalHelp(one).en}.`));
  const own = flagsOf(name, (group) => !SHARED.includes(group));
  const shown = Object.entries(examples).flatMap(([line, { en }]) => [
    '.TP',
    `\\fBcatersheet ${plain(line)}\\fR`,
    plain(en),
  ]);
  return [
    `.SS catersheet ${plain(headOf(name))}`,
    `${plain(help.en)}.`,
    ...behind.flat(),
    ...flagItems(own),
    ...(shown.length === 0 ? [] : ['.PP', 'Examples:', ...shown]),
  ];
}

/** The flags of a group that commands share, each once: as `import` has it, where it has it. */
function sharedPart(group) {
  const taken = OPTION_LIST.filter((option) => option.group === group && option.commands.length > 2);
  return [`.SS ${GROUPS[group].en}`, ...flagItems(taken, 'import')];
}

const lines = [
  '.\\" Made by scripts/man-page.mjs from the option table in src/options/. Change that, not this.',
  '.TH CATERSHEET 1 "" "catersheet" "User Commands"',
  '.SH NAME',
  'catersheet \\- spreadsheets in and out of a catering and event\\-management service',
  '.SH SYNOPSIS',
  '.B catersheet',
  '.I COMMAND',
  '.RI [ WORD... ]',
  '.RI [ FLAG... ]',
  '.SH DESCRIPTION',
  'Checks every row of a workbook, shows what would change, sends each change once, and gives the workbook back with',
  "every row's outcome.",
  'Without a service of your own the embedded sandbox answers: a made\\-up company, kept on your machine.',
  '.SH COMMANDS',
  ...names.flatMap(commandPart),
  '.SH FLAGS OF MOST COMMANDS',
  ...SHARED.flatMap(sharedPart),
  ...item('-h, --help', 'Show the help of a command, in your language.'),
  ...item('-V, --version', 'Show the version.'),
  '.SH EXIT STATUS',
  ...Object.values(EXITS).flatMap(({ code, text }) => item(String(code), `${text.en}.`)),
  '.SH ENVIRONMENT',
  ...item('CATERSHEET_BASE_URL', 'Address of the service.'),
  ...item('CATERSHEET_TOKEN', 'The token; never a flag, as others on the machine could see it.'),
  ...item('CATERSHEET_HOME', 'Folder for all that the program keeps, in place of the folders of the user.'),
  ...item('LANG, LC_ALL', 'Dutch where they say nl, else English.'),
  ...item('NO_COLOR', 'No colours.'),
];

mkdirSync(join(target, 'man'), { recursive: true });
writeFileSync(join(target, 'man/catersheet.1'), `${lines.join('\n')}\n`);

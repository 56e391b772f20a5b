// Writes docs/commands.md, and the tables between `<!-- table: … -->` and `<!-- /table -->` in README.md and
// docs/, from the option table, the command table and the exit codes of the built program. `commands-page.mjs
// FOLDER` writes them there.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { positionalHelp } from '../dist/cli/parse.js';
import { EXITS } from '../dist/core/errors.js';
import { COMMANDS } from '../dist/options/commands.js';
import { choicesOf, FUNCTIONS, kebab } from '../dist/options/option.js';
import { flagHelp, OPTION_LIST } from '../dist/options/options.js';
import { blankBehind, headOf, repeated } from './command-words.mjs';

const HERE = fileURLToPath(new URL('..', import.meta.url));
const [target = HERE] = process.argv.slice(2);

const names = Object.keys(COMMANDS);
const GROUPS = { service: 'Service', run: 'Run', output: 'Output' };
const isCommon = ({ group, commands }) => group in GROUPS && commands.length > 2;

const cell = (text) => text.replaceAll('|', '\\|');
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');

/** A flag as it is typed: `--out FILE`, `-o`. */
function typedAs(option) {
  const value = blankBehind(option);
  const long = `\`--${kebab(option.flag)}${value === undefined ? '' : ` ${value}`}\``;
  return option.alias === undefined ? long : `${long}, \`-${option.alias}\``;
}

/** What an option is where it is not given. */
const usual = ({ initial }) => (typeof initial === 'string' ? ` (default: \`${initial}\`)` : '');

/** What a flag does, with what it chooses from and what it is by itself. */
function toldOf(option) {
  const { en } = flagHelp(option);
  const choices = option.placeholder === undefined ? undefined : choicesOf(option.typed ?? option.type);
  const chosen = choices === undefined ? '' : `: ${choices.map((one) => `\`${one}\``).join(', ')}`;
  const needed = option.required === true ? '; never left out' : '';
  return `${en}${chosen}${usual(option)}${repeated(option)}${needed}`;
}

const flagsOf = (command) =>
  OPTION_LIST.filter((option) => option.commands.includes(command) && !isCommon(option));

const flagTable = (options) =>
  table(
    ['flag', 'what it does'],
    options.map((option) => [typedAs(option), toldOf(option)]),
  );

const commonFlags = () =>
  Object.entries(GROUPS).flatMap(([group, title]) => [
    `${title}:`,
    flagTable(OPTION_LIST.filter((option) => option.group === group && isCommon(option))),
  ]);

/** Commands that take some of the common flags. */
function someOf() {
  const common = OPTION_LIST.filter(isCommon);
  return names
    .map((name) => ({ name, taken: common.filter(({ commands }) => commands.includes(name)) }))
    .filter(({ taken }) => taken.length > 0 && taken.length < common.length)
    .map(
      ({ name, taken }) =>
        ` Of these \`${name}\` takes ${taken.map(({ flag }) => `\`--${kebab(flag)}\``).join(', ')}.`,
    )
    .join('');
}

function commandPart(name) {
  const { help, positionals, examples = {} } = COMMANDS[name];
  const flags = flagsOf(name);
  const width = Math.max(0, ...Object.keys(examples).map((line) => line.length));
  const shown = Object.entries(examples).map(
    ([line, text]) => `catersheet ${line.padEnd(width)}  # ${text.en}`,
  );
  const behind = positionals.map((one) => `- \`${one.name.toUpperCase()}\`: ${positionalHelp(one).en}`);
  return [
    `## \`catersheet ${headOf(name)}\``,
    `${help.en}.`,
    ...(behind.length === 0 ? [] : [behind.join('\n')]),
    ...(flags.length === 0 ? [] : [flagTable(flags)]),
    ...(shown.length === 0 ? [] : [['```', ...shown, '```'].join('\n')]),
  ];
}

const exitTable = () =>
  table(
    ['exit', 'meaning'],
    Object.values(EXITS).map(({ code, text }) => [String(code), text.en]),
  );

const commandTable = () =>
  table(
    ['command', 'what it does'],
    names.map((name) => [`\`catersheet ${headOf(name)}\``, COMMANDS[name].help.en]),
  );

function takenBy({ functions }) {
  if (functions.length === FUNCTIONS.length) return 'every function';
  return functions.map((name) => `\`${name}\``).join(', ');
}

const libraryTable = () =>
  table(
    ['option', 'what it says', 'taken by'],
    OPTION_LIST.filter(({ functions }) => functions.length > 0).map((option) => {
      const choices = choicesOf(option.type);
      const chosen = choices === undefined ? '' : `: ${choices.map((one) => `\`${one}\``).join(', ')}`;
      return [`\`${option.name}\``, `${flagHelp(option).en}${chosen}${usual(option)}`, takenBy(option)];
    }),
  );

const settingsTable = () =>
  table(
    ['setting', 'what it is'],
    OPTION_LIST.filter(({ inProfile }) => inProfile === true).map((option) => {
      const choices = choicesOf(option.type);
      const chosen = choices === undefined ? '' : `: ${choices.map((one) => `\`${one}\``).join(', ')}`;
      return [`\`${option.name}\``, `${flagHelp(option).en}${chosen}`];
    }),
  );

const TABLES = {
  settings: settingsTable,
  'exit codes': exitTable,
  commands: commandTable,
  'short flags': () =>
    flagTable(
      flagsOf('import').filter(({ group }) => group === undefined),
      'import',
    ),
  'common flags': () => commonFlags().join('\n\n'),
  'library options': libraryTable,
  ...Object.fromEntries(names.map((name) => [`flags of ${name}`, () => flagTable(flagsOf(name))])),
};

/** A page with the tables in it made anew. */
function filledIn(page, file) {
  return page.replace(/<!-- table: (.+?) -->\n[\s\S]*?<!-- \/table -->/g, (_, name) => {
    const make = TABLES[name];
    if (make === undefined)
      throw new Error(`${file}: there is no table ${name}; there are ${Object.keys(TABLES).join(', ')}`);
    return `<!-- table: ${name} -->\n${make()}\n<!-- /table -->`;
  });
}

const page = [
  '<!-- Made by scripts/commands-page.mjs from the option table in src/options/. Change that, not this. -->',
  '# Commands and flags',
  commandTable(),
  '`catersheet COMMAND --help` says the same; with `--lang nl` in Dutch. `catersheet --version` prints the version.',
  ...names.flatMap(commandPart),
  '## Flags of all that work with a service',
  `Every command takes these, but for those that take some.${someOf()}`,
  ...commonFlags(),
  '## Exit codes',
  exitTable(),
  '## Options of the library',
  'The functions of the package take the same, as members of one object. An option that a function does not take is refused.',
  libraryTable(),
].join('\n\n');

function write(file, text) {
  mkdirSync(dirname(join(target, file)), { recursive: true });
  writeFileSync(join(target, file), text);
}

write('docs/commands.md', `${page}\n`);
const pages = readdirSync(join(HERE, 'docs'), { recursive: true })
  .map((name) => `docs/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.md') && name !== 'docs/commands.md');
for (const file of ['README.md', ...pages]) {
  const text = readFileSync(join(HERE, file), 'utf8');
  if (text.includes('<!-- table: ')) write(file, filledIn(text, file));
}

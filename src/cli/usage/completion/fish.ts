import type { Language } from '../../../core/language.ts';
import type { Offer, ShellCommand, ShellFlag } from './model.ts';

/** The completion of fish. */
export function fishCompletion(commands: readonly ShellCommand[], language: Language): string {
  const names = commands.map(({ name }) => name).join(' ');
  const none = `not __fish_seen_subcommand_from ${names}`;
  return [
    '# fish completion of catersheet, made by: catersheet completion fish',
    'complete -c catersheet -f',
    `complete -c catersheet -n ${quoted(none)} -s h -l help`,
    `complete -c catersheet -n ${quoted(none)} -s V -l version`,
    ...commands.map(
      ({ name, help }) => `complete -c catersheet -n ${quoted(none)} -a ${name} -d ${quoted(help[language])}`,
    ),
    ...commands.flatMap((command) => commandLines(command, language)),
    '',
  ].join('\n');
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function commandLines({ name, flags, words }: ShellCommand, language: Language): string[] {
  const start = `complete -c catersheet -n '__fish_seen_subcommand_from ${name}'`;
  const behind = words.map((word) => `${start} ${offered(word, false)}`);
  return [
    ...behind.filter((line) => !line.endsWith(' ')),
    `${start} -l help`,
    ...flags.map((flag) => `${start} ${flagWords(flag, language)}`),
  ];
}

function flagWords({ name, letter, help, value }: ShellFlag, language: Language): string {
  const short = letter === undefined ? '' : `-s ${letter} `;
  const taken = value === undefined ? '' : ` ${offered(value, true)}`;
  return `${short}-l ${name} -d ${quoted(help[language])}${taken}`;
}

/** What is offered: for the value of a flag, which needs one, or for a word. */
function offered(offer: Offer, needed: boolean): string {
  const only = needed ? '-x' : '';
  if (offer === 'files') return needed ? '-r -F' : '-F';
  if (offer === 'folders') return `${only} -a '(__fish_complete_directories)'`.trim();
  // The newest run first; all else by the alphabet.
  const order = offer === 'runs' ? '-k ' : '';
  if (offer === 'profiles' || offer === 'runs')
    return `${only} ${order}-a '(catersheet completion fish --${offer} 2>/dev/null)'`.trim();
  return offer === 'nothing' ? only : `${only} -a ${quoted(offer.join(' '))}`.trim();
}

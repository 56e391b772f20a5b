import { EXITS } from '../../core/errors.ts';
import { type Language, t } from '../../core/language.ts';
import { COMMAND_LIST } from '../../options/commands.ts';
import { columnsOf, wrap } from '../view/wrap.ts';
import { GLOBAL, headOf, indented, section } from './layout.ts';

const ABOUT = t(
  'Spreadsheets in and out of a catering and event-management service.',
  'Spreadsheets je cateringsysteem in en uit.',
);
const MORE = t(
  'catersheet help COMMAND tells all of one.',
  'catersheet help OPDRACHT vertelt alles over één opdracht.',
);

/** The help of the program, in lines that fit the width. */
export function programHelp(language: Language, width = columnsOf()): string[] {
  const commands = COMMAND_LIST.map(([name, { help }]) => ({ left: indented(headOf(name)), text: help }));
  const exits = Object.values(EXITS).map(({ code, text }) => ({
    left: indented(t(`${code}`, `${code}`)),
    text,
  }));
  return [
    t('catersheet COMMAND', 'catersheet OPDRACHT')[language],
    '',
    ...wrap(ABOUT[language], width),
    ...section(t('Commands', 'Opdrachten'), commands, language, width),
    ...section(t('Flags', 'Vlaggen'), GLOBAL, language, width),
    ...section(t('Exit codes', 'Exitcodes'), exits, language, width),
    '',
    ...wrap(MORE[language], width),
  ];
}

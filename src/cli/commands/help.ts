import { languageOf } from '../../api/profile-names.ts';
import { EXIT, type ExitCode } from '../../core/errors.ts';
import { showLines } from '../../core/standard-streams.ts';
import type { CommandName } from '../../options/commands.ts';
import type { Given } from '../../options/options.ts';
import { commandHelp } from '../usage/command-help.ts';
import { programHelp } from '../usage/program-help.ts';

/** `help [COMMAND]`: the help of a command, or of the program. */
export async function helpCommand({ command, lang }: Given<'help'>): Promise<ExitCode> {
  const language = languageOf(lang);
  // Other names are refused before.
  const lines =
    command === undefined ? programHelp(language) : await commandHelp(command as CommandName, language);
  showLines('stdout', lines);
  return EXIT.ok;
}

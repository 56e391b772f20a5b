import { languageOf, profileNames } from '../../api/profile-names.ts';
import { runNames } from '../../api/runs.ts';
import { EXIT, type ExitCode } from '../../core/errors.ts';
import { showLines } from '../../core/standard-streams.ts';
import type { Given } from '../../options/options.ts';
import { bashCompletion } from '../usage/completion/bash.ts';
import { fishCompletion } from '../usage/completion/fish.ts';
import { shellCommands } from '../usage/completion/model.ts';
import { powershellCompletion } from '../usage/completion/powershell.ts';
import { zshCompletion } from '../usage/completion/zsh.ts';

const SHELLS = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
};

/** `completion SHELL`: a script that lets a shell complete the commands and flags. */
export async function completionCommand({
  shell,
  profiles,
  runs,
  lang,
}: Given<'completion'>): Promise<ExitCode> {
  // Other shells are refused before.
  const make = SHELLS[shell as keyof typeof SHELLS];
  const script = async (): Promise<string> => make(await shellCommands(), languageOf(lang)).trimEnd();
  const names = [...(profiles ? profileNames() : []), ...(runs ? await runNames() : [])];
  showLines('stdout', profiles || runs ? names : (await script()).split('\n'));
  return EXIT.ok;
}

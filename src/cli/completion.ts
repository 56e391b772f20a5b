import { EXIT, type ExitCode } from '../core/errors.ts';
import type { Language } from '../core/language.ts';
import { showLines } from '../core/standard-streams.ts';
import { COMMANDS, type Positional } from '../options/commands.ts';
import { choicesOf, kebab } from '../options/option.ts';
import type { Given } from '../options/options.ts';
import { listProfiles } from '../session/profile.ts';
import { ASKING, commandIn, entriesOf, hasValue, parsed, typeOf } from './parse.ts';

/**
 * What makes each shell ask this program what may stand at the cursor. Where it offers nothing, the shell
 * offers files. Nothing that is offered is run.
 */
const SCRIPTS = {
  bash: `_catersheet() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    [[ $word == "\${COMP_WORDS[COMP_CWORD]}"* ]] && COMPREPLY+=("$word")
  done < <(SHELL=bash catersheet ${ASKING} "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)
}
complete -o bashdefault -o default -F _catersheet catersheet`,
  zsh: `#compdef catersheet
_catersheet() {
  local -a offered
  offered=("\${(@f)$(SHELL=zsh catersheet ${ASKING} "\${(@)words[1,CURRENT]}" 2>/dev/null)}")
  if [[ -n \${offered[1]} ]]; then _describe -V catersheet offered; else _default; fi
}
compdef _catersheet catersheet`,
  fish: `function __catersheet_offer
  set -lx SHELL zsh
  catersheet ${ASKING} (commandline -opc) (commandline -ct) 2>/dev/null | string replace : \\t
end
complete -c catersheet -k -a '(__catersheet_offer)'`,
  powershell: `Register-ArgumentCompleter -Native -CommandName catersheet -ScriptBlock {
  param($word, $line)
  $words = $line.CommandElements | ForEach-Object { "$_" }
  catersheet ${ASKING} @words 2>$null | Where-Object { $_ -like "$word*" }
}`,
} as const;

/** Commands whose word is a run. */
const OF_A_RUN: readonly unknown[] = ['apply', 'undo', 'runs'];

/**
 * What may stand at the cursor, the last of the words: what yargs offers there, profiles, runs and kinds. A value
 * that is a file is left to the shell.
 */
export async function offeredAt(given: readonly string[], language: Language): Promise<readonly string[]> {
  // bash takes --lang=nl for three words.
  const words = given.filter((one) => one !== '=');
  const [before = '', current = ''] = words.slice(-2);
  const isFlag = current.startsWith('-');
  const command = commandIn(words);
  const entries = command === undefined ? [] : entriesOf(command);
  const entry = entries.find(({ flag, alias }) => [`--${kebab(flag)}`, `-${alias}`].includes(before));
  if (entry?.flag === 'profile') return profileNames();
  if (entry !== undefined && hasValue(entry) && choicesOf(typeOf(entry)) === undefined) return [];
  if (OF_A_RUN.includes(command) && !isFlag) return await (await import('../api/runs.ts')).runNames();
  const positionals: readonly Positional[] = command === undefined ? [] : COMMANDS[command].positionals;
  const names = isFlag || entry !== undefined ? [] : positionals.flatMap((one) => one.names ?? []);
  const asked = await parsed(words, language);
  const offered = 'shown' in asked ? asked.shown.split('\n') : [];
  return [...names, ...offered.filter((one) => isFlag || !one.startsWith('-'))];
}

/** Those that mean nothing else to any shell: a working folder may come from anyone. */
function profileNames(): string[] {
  try {
    const names = listProfiles().profiles.map(({ name }) => name);
    return names.filter((name) => /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(name));
  } catch {
    return [];
  }
}

/** `completion SHELL`: a script that lets a shell complete commands, flags, files, profiles and runs. */
export async function completionCommand({ shell }: Given<'completion'>): Promise<ExitCode> {
  showLines('stdout', SCRIPTS[shell].split('\n'));
  return EXIT.ok;
}

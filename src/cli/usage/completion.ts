import { profileNames } from '../../api/profile-names.ts';
import type { Positional } from '../../options/command-entry.ts';
import { COMMANDS } from '../../options/commands.ts';
import { choicesOf, kebab } from '../../options/option.ts';
import { commandIn, entriesOf, hasValue, typeOf } from './words.ts';

/** The flag with which a shell asks yargs what may stand at the cursor. */
export const ASKING = '--get-yargs-completions';

/**
 * What makes each shell ask this program what may stand at the cursor. Where it offers nothing, the shell
 * offers files. Nothing that is offered is run.
 */
export const COMPLETION_SCRIPTS = {
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
 * What may stand at the cursor, the last of the words, with what yargs offers there. A value that is a file is
 * left to the shell.
 */
export async function offeredAt(
  words: readonly string[],
  offer: () => Promise<string>,
): Promise<readonly string[]> {
  const [before = '', current = ''] = words.slice(-2);
  const isFlag = current.startsWith('-');
  const command = commandIn(words);
  const entries = command === undefined ? [] : entriesOf(command);
  const entry = entries.find(({ flag, alias }) => [`--${kebab(flag)}`, `-${alias}`].includes(before));
  if (entry?.flag === 'profile') return profileNames();
  if (entry !== undefined && hasValue(entry) && choicesOf(typeOf(entry)) === undefined) return [];
  if (OF_A_RUN.includes(command) && !isFlag) return await (await import('../../api/runs.ts')).runNames();
  if (command === 'help' && !isFlag) return Object.keys(COMMANDS);
  const positionals: readonly Positional[] = command === undefined ? [] : COMMANDS[command].positionals;
  const names = isFlag || entry !== undefined ? [] : positionals.flatMap((one) => one.names ?? []);
  const offered = (await offer()).split('\n').filter((one) => isFlag || !one.startsWith('-'));
  return [...names, ...offered];
}

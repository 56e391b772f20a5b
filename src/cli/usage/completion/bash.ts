import type { Offer, ShellCommand, ShellFlag } from './model.ts';

/** The completion of bash, also of the old one of macOS; it runs nothing that a word or a file says. */
export function bashCompletion(commands: readonly ShellCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  return `# bash completion of catersheet, made by: catersheet completion bash
_catersheet_words() {
  local word
  while IFS= read -r word; do
    [[ $word == "$cur"* ]] && COMPREPLY+=("$word")
  done
}
_catersheet_files() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen "$1" -- "$cur"))
  type compopt >/dev/null 2>&1 && compopt -o filenames
}
_catersheet_offer() {
  case $1 in
  @files) _catersheet_files -f ;;
  @folders) _catersheet_files -d ;;
  @profiles | @runs) _catersheet_words < <(catersheet completion bash "--\${1#@}" 2>/dev/null) ;;
  @nothing) ;;
  *) _catersheet_words < <(printf '%s\\n' $1) ;;
  esac
}
_catersheet() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= at=0 before=0 i flags words
  COMPREPLY=()
  # The shell takes --lang=nl for three words.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
    -* | =) ;;
    *) if [[ -n $command ]]; then [[ \${COMP_WORDS[i-1]} == = ]] || before=$((before + 1))
       elif [[ ' ${names} ' == *" \${COMP_WORDS[i]} "* ]]; then command=\${COMP_WORDS[i]} at=$i; fi ;;
    esac
  done
  case $command in
  '') flags='--help --version' words='${names}' ;;
${commands.map(commandPart).join('\n')}
  *) return ;;
  esac
  case $cur in
  -*) _catersheet_offer "$flags" ;;
  *) _catersheet_offer "$words" ;;
  esac
}
complete -F _catersheet catersheet
`;
}

const offered = (offer: Offer): string => (typeof offer === 'string' ? `@${offer}` : offer.join(' '));

/** How a flag is typed. */
const typed = ({ name, letter }: ShellFlag): string[] => [
  `--${name}`,
  ...(letter === undefined ? [] : [`-${letter}`]),
];

function commandPart({ name, flags, words, many }: ShellCommand): string {
  const valued = flags.flatMap((flag) =>
    flag.value === undefined
      ? []
      : [`    ${typed(flag).join(' | ')}) _catersheet_offer '${offered(flag.value)}'; return ;;`],
  );
  const counted = flags.filter(({ value }) => value !== undefined).flatMap(typed);
  const last = words.length - 1;
  const places = words.map(
    (word, at) => `    ${at === last && many ? '*' : at}) words='${offered(word)}' ;;`,
  );
  return [
    `  ${name})`,
    `    flags='${['--help', ...flags.flatMap(typed)].join(' ')}' words=@nothing`,
    ...(valued.length === 0 ? [] : ['    case $prev in', ...valued, '    esac']),
    ...(counted.length === 0
      ? []
      : [
          '    # The value of a flag is no word behind the command.',
          '    for ((i = at + 2; i < COMP_CWORD; i++)); do',
          `      case \${COMP_WORDS[i-1]} in ${counted.join(' | ')}) [[ \${COMP_WORDS[i]} == [-=]* ]] || before=$((before - 1)) ;; esac`,
          '    done',
        ]),
    ...(places.length === 0 ? [] : ['    case $before in', ...places, '    esac']),
    '    ;;',
  ].join('\n');
}

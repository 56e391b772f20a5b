import type { Language } from '../../../core/language.ts';
import type { Offer, ShellCommand, ShellFlag } from './model.ts';

/** The completion of zsh, as a file of its path of functions or to be sourced. */
export function zshCompletion(commands: readonly ShellCommand[], language: Language): string {
  const list = commands.map(({ name, help }) => quoted(`${name}:${help[language]}`));
  return `#compdef catersheet
# zsh completion of catersheet, made by: catersheet completion zsh
_catersheet_names() {
  local -a names
  names=(\${(f)"$(catersheet completion zsh --$1 2>/dev/null)"})
  shift
  compadd "$@" -a names
}
_catersheet_profiles() { _catersheet_names profiles "$@" }
_catersheet_runs() { _catersheet_names runs "$@" -V runs }
_catersheet() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C '(- *)'{-h,--help}'[help]' '(- *)'{-V,--version}'[version]' '1:command:->command' '*::word:->words'
  case $state in
  command)
    local -a commands
    commands=(
      ${list.join('\n      ')}
    )
    _describe command commands
    ;;
  words)
    case $words[1] in
${commands.map((command) => commandPart(command, language)).join('\n')}
    esac
    ;;
  esac
}
if [[ $funcstack[1] == _catersheet ]]; then _catersheet "$@"; else compdef _catersheet catersheet; fi
`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function commandPart({ name, flags, words, many }: ShellCommand, language: Language): string {
  const specs = flags.flatMap((flag) => flagSpec(flag, language));
  const last = words.length - 1;
  const behind = words.map((word, at) =>
    quoted(at === last && many ? `*:word:${action(word)}` : `${at + 1}:word:${action(word)}`),
  );
  return [
    `    ${name})`,
    `      _arguments ${['"(- *)--help[help]"', ...specs, ...behind].join(' \\\n        ')}`,
    '      ;;',
  ].join('\n');
}

function flagSpec({ name, letter, help, value, many }: ShellFlag, language: Language): string[] {
  const text = help[language].replace(/[[\]:\\]/g, '\\$&');
  const rest = `[${text}]${value === undefined ? '' : `:value:${action(value)}`}`;
  const long = `--${name}${value === undefined ? '' : '='}`;
  if (letter === undefined) return [quoted(`${many ? '*' : ''}${long}${rest}`)];
  const other = many ? '*' : `(-${letter} --${name})`;
  return [quoted(`${other}-${letter}${rest}`), quoted(`${other}${long}${rest}`)];
}

function action(offer: Offer): string {
  if (offer === 'files') return '_files';
  if (offer === 'folders') return '_files -/';
  if (offer === 'profiles' || offer === 'runs') return `_catersheet_${offer}`;
  return offer === 'nothing' ? ' ' : `(${offer.join(' ')})`;
}

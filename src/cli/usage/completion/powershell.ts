import type { Language } from '../../../core/language.ts';
import type { Offer, ShellCommand, ShellFlag } from './model.ts';

/** The completion of PowerShell, 5.1 and later; where it offers nothing the shell offers files. */
export function powershellCompletion(commands: readonly ShellCommand[], language: Language): string {
  return `# PowerShell completion of catersheet, made by: catersheet completion powershell
Register-ArgumentCompleter -Native -CommandName catersheet -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = [ordered]@{
${commands.map((command) => commandPart(command, language)).join('\n')}
  }
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -and $typed.Count -gt 0) { $typed = @($typed | Select-Object -SkipLast 1) }
  $name = $typed | Where-Object { $commands.Contains($_) } | Select-Object -First 1
  if (-not $name) {
    $offered = [ordered]@{ '--help' = 'help'; '--version' = 'version' }
    foreach ($one in $commands.Keys) { $offered[$one] = $commands[$one].help }
  } else {
    $command = $commands[$name]
    $previous = $typed | Select-Object -Last 1
    $offered = [ordered]@{}
    if ($command.values.Contains($previous)) {
      $words = $command.values[$previous]
      if ($words -eq '@profiles') { $words = @(catersheet completion powershell --profiles) }
      foreach ($one in $words) { $offered[$one] = $one }
    } else {
      $words = $command.words
      if ($words -eq '@runs') { $words = @(catersheet completion powershell --runs) }
      foreach ($one in $words) { $offered[$one] = $one }
      foreach ($one in $command.flags.Keys) { $offered[$one] = $command.flags[$one] }
    }
  }
  $offered.Keys | Where-Object { $_ -notlike '@*' -and $_.StartsWith($wordToComplete) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $offered[$_])
  }
}
`;
}

const quoted = (text: string): string => `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`;

const typed = ({ name, letter }: ShellFlag): string[] => [
  `--${name}`,
  ...(letter === undefined ? [] : [`-${letter}`]),
];

function commandPart({ name, help, flags, words }: ShellCommand, language: Language): string {
  const told = flags.flatMap((flag) =>
    typed(flag).map((one) => `${quoted(one)} = ${quoted(flag.help[language])}`),
  );
  const values = flags.flatMap(({ value, ...flag }) =>
    value === undefined ? [] : typed({ ...flag, value }).map((one) => `${quoted(one)} = ${list(value)}`),
  );
  return [
    `    ${quoted(name)} = @{`,
    `      help = ${quoted(help[language])}`,
    `      words = @(${words
      .flatMap((word) => (word === 'runs' ? '@runs' : typeof word === 'string' ? [] : word))
      .map(quoted)
      .join(', ')})`,
    `      flags = [ordered]@{ ${["'--help' = 'help'", ...told].join('; ')} }`,
    `      values = @{ ${values.join('; ')} }`,
    '    }',
  ].join('\n');
}

function list(offer: Offer): string {
  return `@(${(typeof offer === 'string' ? [`@${offer}`] : offer).map(quoted).join(', ')})`;
}

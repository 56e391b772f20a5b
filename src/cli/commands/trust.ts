import { trustSettings } from '../../api/trust-settings.ts';
import { EXIT, type ExitCode } from '../../core/errors.ts';
import { same, t } from '../../core/language.ts';
import type { Given } from '../../options/options.ts';
import { earlyLanguage } from '../../session/settings.ts';
import { show } from '../view/lines.ts';

/** `trust [FILE]`: lets the settings of a working folder count, and shows them. */
export async function trustCommand({ file: named }: Given<'trust'>): Promise<ExitCode> {
  const { file, before, profiles } = await trustSettings(named);
  const settings = profiles.flatMap(({ name, settings }) =>
    settings.map(([setting, value]) =>
      same(`  ${JSON.stringify(name)} ${setting}: ${JSON.stringify(value)}`),
    ),
  );
  const first = before
    ? t(`${file} was trusted already, as it is now.`, `${file} werd al vertrouwd, zoals het nu is.`)
    : t(
        `${file} is trusted from now on, as it is now.`,
        `${file} wordt vanaf nu vertrouwd, zoals het nu is.`,
      );
  const counts = t('These of its settings count with that:', 'Deze instellingen tellen daarmee:');
  const last = t(
    'Once it changes it is to be trusted anew.',
    'Verandert het, dan moet je het opnieuw vertrouwen.',
  );
  const language = earlyLanguage();
  const said = [first, ...(settings.length > 0 ? [counts, ...settings] : []), last];
  show(
    'stdout',
    said.map((line) => line[language]),
  );
  return EXIT.ok;
}

import { languageOf } from '../../api/profile-names.ts';
import { type TrustedSettings, trustSettings } from '../../api/trust-settings.ts';
import { EXIT, type ExitCode } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { Given } from '../../options/options.ts';
import { show } from '../view/lines.ts';

/** `trust [FILE]`: lets the settings of a working folder count, and shows them. */
export async function trustCommand({ file, lang }: Given<'trust'>): Promise<ExitCode> {
  const said = toldOf(await trustSettings(file));
  const language = languageOf(lang);
  show(
    'stdout',
    said.map((line) => line[language]),
  );
  return EXIT.ok;
}

function toldOf({ file, before, profiles }: TrustedSettings): Bilingual[] {
  const first = before
    ? t(`${file} was trusted already, as it is now.`, `${file} werd al vertrouwd, zoals het nu is.`)
    : t(
        `${file} is trusted from now on, as it is now.`,
        `${file} wordt vanaf nu vertrouwd, zoals het nu is.`,
      );
  const lines = profiles.flatMap(({ name, settings }) =>
    settings.map(([setting, value]) => `  ${JSON.stringify(name)} ${setting}: ${JSON.stringify(value)}`),
  );
  const counts = t('These of its settings count with that:', 'Deze instellingen tellen daarmee:');
  const last = t(
    'Once it changes it is to be trusted anew.',
    'Verandert het, dan moet je het opnieuw vertrouwen.',
  );
  return [first, ...(lines.length > 0 ? [counts, ...lines.map((line) => t(line, line))] : []), last];
}

import { t } from '../../../core/language.ts';
import { said, say } from '../language.ts';
import { ButtonLink } from '../pieces/button.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';

/** The way back to where one begins. */
export const TO_HOME = t('To the first page', 'Naar het begin');

/** What an address shows that leads nowhere. */
export function LostScreen() {
  return (
    <>
      <ScreenTitle title={say('There is nothing at this address', 'Op dit adres is niets')} />
      <ButtonLink to={{ page: 'home' }}>{said(TO_HOME)}</ButtonLink>
    </>
  );
}

import type { CallError } from '../call.ts';
import { say } from '../language.ts';
import { ButtonLink } from '../pieces/controls.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';

/** Whether what was asked for is not there. */
export const isNowhere = (error: CallError | null): boolean => error?.status === 400 || error?.status === 404;

/** The way back to where one begins. */
const ToHome = () => (
  <ButtonLink to={{ page: 'home' }} look="primary">
    {say('To the first page', 'Naar het begin')}
  </ButtonLink>
);

/** What is shown of a file or a plan that is no longer there. */
export const Gone = () => (
  <>
    <ScreenTitle title={say('This file is no longer here', 'Dit bestand is er niet meer')} />
    <p>
      {say(
        'It was removed from this page, or was brought more than 90 days ago. What was sent of it stands among the runs.',
        'Het is van deze pagina gehaald, of meer dan 90 dagen geleden gebracht. Wat ervan verstuurd is, staat bij wat verstuurd is.',
      )}
    </p>
    <ToHome />
  </>
);

/** What an address shows that leads nowhere. */
export const Lost = () => (
  <>
    <ScreenTitle title={say('There is nothing at this address', 'Op dit adres is niets')} />
    <ToHome />
  </>
);

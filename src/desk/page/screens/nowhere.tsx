import type { CallError } from '../call.ts';
import { say } from '../language.ts';
import { home } from '../live.ts';
import { ButtonLink } from '../pieces/controls.tsx';
import { ScreenTitle } from '../pieces/frame.tsx';

/** Whether what was asked for is not there. */
export const isNowhere = (error: CallError | null): boolean => error?.status === 400 || error?.status === 404;

/** The way back to where one begins. */
const ToHome = () => (
  <ButtonLink to="/" look="primary">
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

/** Stands in place of everything else for a browser that the server doesn't know. */
export function NoSession() {
  // It had a session: that of a program that is no more.
  const isOld = home.value !== null;
  return (
    <div class="desk alone">
      <main>
        <p class="name">catersheet</p>
        <ScreenTitle
          title={
            isOld
              ? say('catersheet was started anew', 'catersheet is opnieuw gestart')
              : say('This browser has no access yet', 'Deze browser heeft nog geen toegang')
          }
        />
        <p>
          {isOld
            ? say(
                'This page belongs to a program that was stopped. The one that runs now shows an address of its own in the terminal, and opens it in your browser if it can. Open that address in this browser, here or in another tab: then this page goes on. Nothing is lost: files, corrections and runs are kept.',
                'Deze pagina hoort bij een programma dat gestopt is. Het programma dat nu loopt, toont een eigen adres in de terminal, en opent dat als het kan in je browser. Open dat adres in deze browser, hier of in een ander tabblad: dan gaat deze pagina verder. Er is niets kwijt: bestanden, verbeteringen en runs zijn bewaard.',
              )
            : say(
                'Open the address that the terminal shows last: the line that begins with http://127.0.0.1 and ends with a key. Each key opens the page once; after that a new one stands in the terminal.',
                'Open het adres dat de terminal als laatste toont: de regel die begint met http://127.0.0.1 en eindigt met een sleutel. Elke sleutel opent de pagina één keer; daarna staat er een nieuwe in de terminal.',
              )}
        </p>
        <p>
          {say(
            'No terminal open any more? Start the page again with',
            'Geen terminal meer open? Start de pagina opnieuw met',
          )}{' '}
          <code>catersheet desk</code>.
        </p>
        <p class="dim">
          {say(
            'The key keeps other people and programs on this computer out of your service.',
            'De sleutel houdt andere mensen en programma’s op deze computer buiten je systeem.',
          )}
        </p>
      </main>
    </div>
  );
}

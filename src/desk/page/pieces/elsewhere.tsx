import type { ComponentChildren, JSX } from 'preact';
import { type Bilingual, t } from '../../../core/language.ts';
import { say } from '../language.ts';
import { Box } from './box.tsx';
import { ButtonLink } from './button.tsx';

/** Of a run that was begun. */
export const RUN_ELSEWHERE = t(
  'This run is for another service than the one in use: you can look at it, and send nothing of it. Choose that service to go on.',
  'Deze run is voor een ander systeem dan het systeem dat in gebruik is: je kunt hem bekijken, maar er niets van versturen. Kies dat systeem om verder te gaan.',
);
/** Of a plan that was not sent. */
export const PLAN_ELSEWHERE = t(
  'This plan is for another service than the one in use: you can look at it, not send it. Choose that service, or make the plan anew for the one in use.',
  'Dit plan is voor een ander systeem dan het systeem dat in gebruik is: je kunt het bekijken, niet versturen. Kies dat systeem, of maak het plan opnieuw voor het systeem dat in gebruik is.',
);
const CHOOSE = t('Choose the service', 'Het systeem kiezen');

interface ElsewhereProps {
  readonly what: Bilingual;
  /** Other ways on. */
  readonly children?: ComponentChildren;
}

/** Says that what is shown is for another service than the one in use, and the way to that one. */
export function Elsewhere({ what, children }: ElsewhereProps): JSX.Element {
  return (
    <Box tone="warn">
      <p>{say(what)}</p>
      <div class="actions">
        <ButtonLink to={{ page: 'service' }}>{say(CHOOSE)}</ButtonLink>
        {children}
      </div>
    </Box>
  );
}

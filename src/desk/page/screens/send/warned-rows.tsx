import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../../../../core/language.ts';
import type { PlanDocument } from '../../../contract/documents.ts';
import { figure, say, sayCount } from '../../language.ts';
import { Check } from '../../pieces/field.tsx';
import { hrefOf, type Place } from '../../router.ts';

const ONE = t('1 row has a warning', '1 rij heeft een waarschuwing');
const OTHER = t('{n} rows have warnings', '{n} rijen hebben waarschuwingen');
const LOOK = t('look at these', 'deze bekijken');
const MORE = t('and {n} more', 'en nog {n}');
const ONE_YES = t('Yes, send it with its warning', 'Ja, verstuur die met de waarschuwing');
const YES = t(
  'Yes, send these {n} rows with their warnings',
  'Ja, verstuur deze {n} rijen met hun waarschuwingen',
);
const ONE_KIND = t('1 more kind of warning', 'Nog 1 soort waarschuwing');
const KINDS = t('{n} more kinds of warnings', 'Nog {n} soorten waarschuwingen');

/** Kinds of warnings that are named. */
const MOST = 12;

interface WarnedProps {
  readonly plan: PlanDocument;
  /** Where these rows can be looked at; absent where they are in sight. */
  readonly look: Place | undefined;
  /** Asks to agree; absent where they were sent. */
  readonly agree?: Signal<boolean>;
}

/** Names the warnings of the rows that send something, by kind; nothing where there are none. */
export function WarnedRows({ plan, look, agree }: WarnedProps): JSX.Element | null {
  const rows = plan.warned.sends;
  if (rows === 0) return null;
  const kinds = plan.groups.filter(({ severity, sends }) => severity === 'warning' && sends > 0);
  return (
    <section class="box warn deleting" aria-labelledby="warned">
      <div>
        <h2 id="warned">{sayCount(rows, ONE, OTHER)}</h2>
        <ul class="plain-list">
          {kinds.slice(0, MOST).map(({ sheet, code, field, cause, message, places, sends }) => (
            <li key={JSON.stringify([sheet, code, field, cause])}>
              <b>{[sheet, places[0]].filter(Boolean).join(' ')}</b> {message}
              {sends > 1 && `; ${say(MORE, { n: figure(sends - 1) })}`}
            </li>
          ))}
          {kinds.length > MOST && <li>{sayCount(kinds.length - MOST, ONE_KIND, KINDS)}</li>}
        </ul>
        {look !== undefined && (
          <p>
            <a href={hrefOf(look)}>{say(LOOK)}</a>
          </p>
        )}
        {agree !== undefined && (
          <Check
            checked={agree.value}
            onChange={(on) => {
              agree.value = on;
            }}
          >
            <b>{sayCount(rows, ONE_YES, YES)}</b>
          </Check>
        )}
      </div>
    </section>
  );
}

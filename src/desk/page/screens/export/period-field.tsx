import type { JSX } from 'preact';
import { t } from '../../../../core/language.ts';
import { say } from '../../language.ts';
import { Field } from '../../pieces/field.tsx';
import { type Days, quickPeriods, today } from './period.ts';

const FROM = t('From', 'Van');
const TO = t('Up to and including', 'Tot en met');
const QUICK = t('Choose a period', 'Kies een periode');
const TURNED = t('This day is before the first one.', 'Deze dag ligt voor de eerste.');

interface PeriodProps {
  readonly days: Days;
  readonly onDays: (days: Days) => void;
}

/** Whether a period is whole and the right way round. */
export const isPeriod = ({ from, to }: Days): boolean => from !== '' && to !== '' && from <= to;

/** The first and the last day of a period, with those that people ask for at hand. */
export function PeriodField({ days, onDays }: PeriodProps): JSX.Element {
  const { from, to } = days;
  const turned = from !== '' && to !== '' && to < from;
  return (
    <div class="period">
      <fieldset class="row">
        <legend class="unseen">{say(QUICK)}</legend>
        {quickPeriods(today()).map((quick) => (
          <button
            key={quick.word.en}
            type="button"
            class="chip"
            aria-pressed={quick.from === from && quick.to === to}
            onClick={() => onDays({ from: quick.from, to: quick.to })}
          >
            {say(quick.word)}
          </button>
        ))}
      </fieldset>
      <div class="fields">
        <Field label={say(FROM)}>
          {(control) => (
            <input
              {...control}
              type="date"
              value={from}
              onInput={(event) => onDays({ from: event.currentTarget.value, to })}
            />
          )}
        </Field>
        <Field label={say(TO)} error={turned ? say(TURNED) : null}>
          {(control) => (
            <input
              {...control}
              type="date"
              value={to}
              min={from}
              onInput={(event) => onDays({ from, to: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
    </div>
  );
}

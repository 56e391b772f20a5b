import type { JSX } from 'preact';
import { t } from '../../../../core/language.ts';
import { say } from '../../language.ts';
import { Chip } from '../../pieces/button.tsx';
import { Input } from '../../pieces/field.tsx';
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
          <Chip
            key={quick.word.en}
            on={quick.from === from && quick.to === to}
            onPress={() => onDays({ from: quick.from, to: quick.to })}
          >
            {say(quick.word)}
          </Chip>
        ))}
      </fieldset>
      <div class="fields">
        <Input type="date" label={say(FROM)} value={from} onValue={(day) => onDays({ from: day, to })} />
        <Input
          {...{ type: 'date', label: say(TO), min: from, error: turned ? say(TURNED) : null }}
          value={to}
          onValue={(day) => onDays({ from, to: day })}
        />
      </div>
    </div>
  );
}

import { said, say } from '../../language.ts';
import { Chip } from '../../pieces/button.tsx';
import { Input } from '../../pieces/field.tsx';
import { type Days, quickPeriods } from './period.ts';

interface PeriodProps {
  readonly days: Days;
  readonly onDays: (days: Days) => void;
}

/** The first and the last day of a period, with those that people ask for at hand. */
export function PeriodField({ days: { from, to }, onDays }: PeriodProps) {
  return (
    <div class="period">
      <fieldset class="row" aria-label={say('Choose a period', 'Kies een periode')}>
        {quickPeriods(new Date()).map((quick) => (
          <Chip
            key={quick.word.en}
            on={quick.from === from && quick.to === to}
            onPress={() => onDays({ from: quick.from, to: quick.to })}
          >
            {said(quick.word)}
          </Chip>
        ))}
      </fieldset>
      <div class="fields">
        <Input
          {...{ type: 'date', required: true, label: say('From', 'Van'), value: from }}
          onValue={(day) => onDays({ from: day, to })}
        />
        <Input
          {...{
            type: 'date',
            required: true,
            label: say('Up to and including', 'Tot en met'),
            value: to,
            min: from,
          }}
          onValue={(day) => onDays({ from, to: day })}
        />
      </div>
    </div>
  );
}

import { type Bilingual, t } from '../../../core/language.ts';
import { namedPeriod } from '../../../export/named-period.ts';
import { said, say } from '../language.ts';
import { Button } from '../pieces/controls.tsx';
import { Input } from '../pieces/field.tsx';

/** The days of a period, `YYYY-MM-DD`; either may be missing. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** Periods that people ask for. */
const NAMED: Readonly<Record<string, Bilingual>> = {
  'last-week': t('Last week', 'Vorige week'),
  'this-week': t('This week', 'Deze week'),
  'next-week': t('Next week', 'Volgende week'),
  'last-month': t('Last month', 'Vorige maand'),
  'this-month': t('This month', 'Deze maand'),
  'next-month': t('Next month', 'Volgende maand'),
  'last-year': t('Last year', 'Vorig jaar'),
  'this-year': t('This year', 'Dit jaar'),
};

interface PeriodProps {
  readonly days: Days;
  readonly onDays: (days: Days) => void;
}

/** The first and the last day of a period, with those that people ask for at hand. */
export function PeriodField({ days: { from, to }, onDays }: PeriodProps) {
  // As days of this machine's clock are written in Sweden.
  const today = new Date().toLocaleDateString('sv');
  return (
    <div class="period">
      <fieldset class="row" aria-label={say('Choose a period', 'Kies een periode')}>
        {Object.entries(NAMED).map(([name, word]) => {
          const quick = namedPeriod(name, today) ?? { from, to };
          return (
            <Button
              key={name}
              small
              look="chip"
              pressed={quick.from === from && quick.to === to}
              onClick={() => onDays(quick)}
            >
              {said(word)}
            </Button>
          );
        })}
      </fieldset>
      <div class="fields">
        <Input
          {...{ type: 'date', required: true, label: say('From', 'Van'), value: from }}
          onValue={(day) => onDays({ from: day, to })}
        />
        <Input
          {...{ type: 'date', required: true, value: to, min: from }}
          label={say('Up to and including', 'Tot en met')}
          onValue={(day) => onDays({ from, to: day })}
        />
      </div>
    </div>
  );
}

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import type { Plan, Run } from '../../contract/answers.ts';
import { call } from '../call.ts';
import { say } from '../language.ts';
import { begin } from '../live.ts';
import { Box, Button, type ButtonProps } from '../pieces/controls.tsx';
import { Check } from '../pieces/field.tsx';
import { Listed, more } from '../pieces/lists.tsx';

/** Said of what is for another service than the one in use. */
export const ELSEWHERE = t(
  'This is for another service than the one in use: you can look at it, not send it. Choose that service under Service.',
  'Dit is voor een ander systeem dan het systeem dat in gebruik is: je kunt het bekijken, niet versturen. Kies dat systeem onder Systeem.',
);

/** Rows and kinds of warnings that are named. */
const MOST = 12;

/** Names what an undo leaves of its run, and why; nothing of any other plan. */
export function LeftByUndo({ left }: Pick<Plan, 'left'>) {
  if (left === null) return null;
  return (
    <Box tone="warn">
      <details>
        <summary>
          {say(
            '1 row is not taken back|{n} rows are not taken back',
            '1 rij wordt niet teruggedraaid|{n} rijen worden niet teruggedraaid',
            left.count,
          )}
        </summary>
        <Listed
          most={MOST}
          count={left.count}
          items={left.rows.map(({ sheet, row, why }) => `${sheet} ${row}: ${why}`)}
        />
      </details>
    </Box>
  );
}

interface SendProps extends Pick<ButtonProps, 'look' | 'icon'> {
  readonly run: Run;
  /** Rows that delete: they are agreed to on their own. */
  readonly deletes: number;
  /** The plan whose warnings are agreed to; absent where that was done. */
  readonly plan?: Plan;
  /** What the button says. */
  readonly word: string;
  /** Stands above it. */
  readonly children?: ComponentChildren;
}

/** Sends a run, once all is agreed to that has to be: rows that delete, and rows with warnings. */
export function SendRun({ run, deletes, plan, word, children, ...look }: SendProps) {
  const [agreed, setAgreed] = useState({ warn: false, bad: false });
  const warned = plan?.warned.sends ?? 0;
  const kinds = plan?.groups.filter(({ severity, sends }) => severity === 'warning' && sends > 0) ?? [];
  const isLeft = (warned > 0 && !agreed.warn) || (deletes > 0 && !agreed.bad);
  const agree = (tone: keyof typeof agreed, title: string, yes: string, about?: ComponentChildren) => (
    <Box tone={tone} role="group">
      <p>
        <b>{title}</b>
      </p>
      {about}
      <Check checked={agreed[tone]} onChange={(on) => setAgreed({ ...agreed, [tone]: on })}>
        <b>{yes}</b>
      </Check>
    </Box>
  );
  return (
    <>
      {warned > 0 &&
        agree(
          'warn',
          say(
            '1 row has a warning|{n} rows have warnings',
            '1 rij heeft een waarschuwing|{n} rijen hebben waarschuwingen',
            warned,
          ),
          say(
            'Yes, send it with its warning|Yes, send these {n} rows with their warnings',
            'Ja, verstuur die met de waarschuwing|Ja, verstuur deze {n} rijen met hun waarschuwingen',
            warned,
          ),
          <Listed
            most={MOST}
            items={kinds.map(
              ({ sheet, places, message, sends }) =>
                `${[sheet, places[0]].filter(Boolean).join(' ')}: ${message} ${more(sends - 1)}`,
            )}
          />,
        )}
      {deletes > 0 &&
        agree(
          'bad',
          say(
            '1 row deletes or unlinks a record on the service.|{n} rows delete or unlink a record on the service.',
            '1 rij verwijdert of ontkoppelt een record in het systeem.|{n} rijen verwijderen of ontkoppelen een record in het systeem.',
            deletes,
          ),
          say(
            'Yes, delete 1 record|Yes, delete {n} records',
            'Ja, verwijder 1 record|Ja, verwijder {n} records',
            deletes,
          ),
        )}
      {children}
      <Button
        {...look}
        disabled={!run.here || isLeft}
        onClick={() => begin(call('send', { run: run.run, deletes }))}
      >
        {word}
      </Button>
    </>
  );
}

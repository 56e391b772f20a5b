import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Bilingual, t } from '../../../core/language.ts';
import type { Plan, Run } from '../../contract/answers.ts';
import { planAnew } from '../begin.ts';
import { call } from '../call.ts';
import { language, said, say, sayCount } from '../language.ts';
import { doJob } from '../live.ts';
import { Act } from '../pieces/act.tsx';
import type { ButtonProps } from '../pieces/button.tsx';
import { Box } from '../pieces/error-box.tsx';
import { Check } from '../pieces/field.tsx';
import { Listed, more } from '../pieces/lists.tsx';

/** Rows and kinds of warnings that are named. */
const MOST = 12;

/** Names what an undo leaves of its run, and why; nothing of any other plan. */
export function LeftByUndo({ plan: { left } }: { readonly plan: Plan }) {
  if (left === null) return null;
  return (
    <Box tone="warn">
      <details>
        <summary>
          {sayCount(
            left.count,
            t('1 row is not taken back', '1 rij wordt niet teruggedraaid'),
            t('{n} rows are not taken back', '{n} rijen worden niet teruggedraaid'),
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

interface SendProps extends Pick<ButtonProps, 'look' | 'icon' | 'disabled'> {
  readonly run: Run;
  /** Rows that delete: they are agreed to on their own. */
  readonly deletes: number;
  /** The plan whose warnings are agreed to; null where that was done. */
  readonly plan: Plan | null;
  /** What the button says. */
  readonly word: string;
  /** Stands above it. */
  readonly children?: ComponentChildren;
}

/** Sends a run, once all is agreed to that has to be: rows that delete, and rows with warnings. */
export function SendRun({ run, deletes, plan, word, disabled = false, children, ...look }: SendProps) {
  const [agreed, setAgreed] = useState<readonly string[]>([]);
  const warned = plan?.warned.sends ?? 0;
  const kinds = plan?.groups.filter(({ severity, sends }) => severity === 'warning' && sends > 0) ?? [];
  const isLeft = [warned > 0 && 'warn', deletes > 0 && 'bad'].some((one) => one && !agreed.includes(one));
  const agree = (tone: 'warn' | 'bad', title: string, yes: string, about?: ComponentChildren) => (
    <Box tone={tone} role="group">
      <p>
        <b>{title}</b>
      </p>
      {about}
      <Check
        checked={agreed.includes(tone)}
        onChange={(on) => setAgreed(on ? [...agreed, tone] : agreed.filter((one) => one !== tone))}
      >
        <b>{yes}</b>
      </Check>
    </Box>
  );
  return (
    <>
      {warned > 0 &&
        agree(
          'warn',
          sayCount(
            warned,
            t('1 row has a warning', '1 rij heeft een waarschuwing'),
            t('{n} rows have warnings', '{n} rijen hebben waarschuwingen'),
          ),
          sayCount(
            warned,
            t('Yes, send it with its warning', 'Ja, verstuur die met de waarschuwing'),
            t(
              'Yes, send these {n} rows with their warnings',
              'Ja, verstuur deze {n} rijen met hun waarschuwingen',
            ),
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
          sayCount(
            deletes,
            t(
              '1 row deletes or unlinks a record on the service.',
              '1 rij verwijdert of ontkoppelt een record in het systeem.',
            ),
            t(
              '{n} rows delete or unlink a record on the service.',
              '{n} rijen verwijderen of ontkoppelen een record in het systeem.',
            ),
          ),
          sayCount(
            deletes,
            t('Yes, delete 1 record', 'Ja, verwijder 1 record'),
            t('Yes, delete {n} records', 'Ja, verwijder {n} records'),
          ),
        )}
      {children}
      <Act {...look} disabled={disabled || isLeft} act={() => doJob(call('send', { run: run.run, deletes }))}>
        {word}
      </Act>
    </>
  );
}

interface UnnamedProps {
  readonly run: Run;
  readonly plan: Plan;
}

/** Asks whether rows that name no record are new; once answered, says so with the way back. */
export function UnnamedRows({ run, plan }: UnnamedProps) {
  const rows = plan.unnamed.reduce((sum, one) => sum + one.rows, 0);
  const sheets = new Intl.ListFormat(language.value).format(plan.unnamed.map(({ sheet }) => sheet));
  if (rows === 0 && !plan.createUnnamed) return null;
  const answer = (createUnnamed: boolean, word: Bilingual) => (
    <Act small act={() => planAnew(run, { createUnnamed })}>
      {said(word)}
    </Act>
  );
  return (
    <Box tone={rows === 0 ? 'plain' : 'warn'}>
      <p>
        {rows === 0
          ? say(
              'Rows that name no record are created as new, as you chose.',
              'Rijen die geen record noemen, worden als nieuw aangemaakt, zoals je koos.',
            )
          : `${sayCount(
              rows,
              t(
                '1 row of {sheets} names no record. Is it new?',
                '1 rij van {sheets} noemt geen record. Is die nieuw?',
              ),
              t(
                '{n} rows of {sheets} name no record. Are they new?',
                '{n} rijen van {sheets} noemen geen record. Zijn die nieuw?',
              ),
            ).replace(
              '{sheets}',
              sheets,
            )} ${say('A row is found again by its key. Without one it is only created if you say so.', 'Een rij wordt teruggevonden op zijn sleutel. Zonder sleutel wordt die alleen aangemaakt als jij het zegt.')}`}
      </p>
      {rows === 0
        ? answer(false, t('Don’t create them', 'Niet aanmaken'))
        : answer(true, t('Create as new', 'Als nieuw aanmaken'))}
    </Box>
  );
}

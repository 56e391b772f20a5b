import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { aboutText } from '../../../core/codecs/moment.ts';
import { type Counts, noCounts, shownTotal } from '../../../core/counts.ts';
import { type Bilingual, t } from '../../../core/language.ts';
import type { Plan, Run } from '../../contract/answers.ts';
import type { AskedOf } from '../../contract/asked.ts';
import { addressOf } from '../../contract/paths.ts';
import { call } from '../call.ts';
import { home } from '../desk.ts';
import { figure, language, said, say } from '../language.ts';
import { begin } from '../live.ts';
import { Box, Button, ButtonLink, type ButtonProps } from '../pieces/controls.tsx';
import { Check } from '../pieces/field.tsx';
import { hostOf, ServiceBadge } from '../pieces/frame.tsx';
import { Listed, more, Pairs } from '../pieces/lists.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { Outcomes } from '../pieces/status-pill.tsx';
import { goTo, hrefOf } from '../router.ts';
import { rowsQuery } from '../table/rows.ts';

/** How many corrections there are. */
export const correctionsText = (count: number): string =>
  count === 0 ? '' : say('1 correction|{n} corrections', '1 verbetering|{n} verbeteringen', count);

/** Has all rows of a file checked, in the place of the plan that it has, and shows what comes of it. */
export async function check(
  file: string | null,
  step: 'check' | 'send' = 'check',
  more: Omit<AskedOf<'makePlan'>, 'file'> = {},
): Promise<void> {
  if (file === null) return;
  await begin(call('makePlan', { file, ...more }));
  goTo({ page: 'file', file, step });
}

/** What each step with a plan is given. */
export interface PlanProps {
  readonly run: Run;
  readonly plan: Plan;
}

/** What exactly is sent, agreed to, and then sent. */
export function SendScreen({ run, plan }: PlanProps) {
  const asked = { run: run.run };
  return (
    <>
      <ScreenTitle title={say('Send it?', 'Versturen?')} />
      {!run.here && <Box tone="warn">{said(ELSEWHERE)}</Box>}
      {run.stale ? (
        <Box tone="warn">
          <p>
            {say(
              'Cells were corrected since every row was checked.',
              'Er zijn cellen verbeterd sinds elke rij nagekeken is.',
            )}
          </p>
          <Button small onClick={() => check(run.source, 'send')}>
            {say('Check every row again', 'Elke rij opnieuw nakijken')}
          </Button>
        </Box>
      ) : (
        <>
          <Sent plan={plan} />
          <LeftByUndo {...plan} />
          <NotSent run={run} plan={plan} />
          <SendPlan run={run} plan={plan} />
          <section>
            <h2>{say('To show it to others first', 'Om het eerst aan anderen te laten zien')}</h2>
            <div class="row">
              <ButtonLink icon="download" to={addressOf('result', asked)}>
                {say('Your workbook, with what would change', 'Je werkmap, met wat er zou veranderen')}
              </ButtonLink>
              <ButtonLink icon="file" shown to={addressOf('report', asked)}>
                {say('A report of it', 'Een verslag ervan')}
              </ButtonLink>
            </div>
          </section>
        </>
      )}
    </>
  );
}

/** The button that sends: for what counts it looks otherwise than for trying, and says where to. */
function SendPlan({ run, plan }: PlanProps) {
  const { created, updated, deleted: deletes } = plan.counts;
  const rows = created + updated + deletes;
  const { service, shared } = home.value ?? {};
  const isReal = service?.kind === 'real';
  const host = hostOf(service?.address ?? '');
  const requests = figure(plan.requests);
  const time = aboutText(plan.estimateMs ?? 0)[language.value];
  const word =
    rows === 0
      ? say('On to the result', 'Verder naar het resultaat')
      : say('Send 1 row|Send {n} rows', '1 rij versturen|{n} rijen versturen', rows);
  return (
    <SendRun
      {...{ run, deletes, plan, icon: 'right' }}
      look={isReal && rows > 0 ? 'real' : 'primary'}
      word={isReal && rows > 0 ? say(`${word} to ${host}`, `${word} naar ${host}`) : word}
    >
      {rows > 0 && (
        <p class={isReal ? 'real-text' : undefined}>
          {service && <ServiceBadge service={service} />}{' '}
          {isReal
            ? say(
                `This changes the real service at ${host}. You can take it back afterwards, row by row as far as the service allows.`,
                `Dit wijzigt het echte systeem op ${host}. Je kunt het daarna terugdraaien, per rij en voor zover het systeem dat toelaat.`,
              )
            : say(
                'The sandbox is for trying: no one else sees it.',
                'De proefomgeving is om te proberen: niemand anders ziet het.',
              )}{' '}
          {plan.estimateMs !== null && say(`${requests} requests, ${time}`, `${requests} verzoeken, ${time}`)}
        </p>
      )}
      {rows > 0 && shared && (
        <p class="dim">
          {say(
            `To let workers send it, give the command catersheet apply ${run.run} --queue.`,
            `Om het door workers te laten versturen, geef je de opdracht catersheet apply ${run.run} --queue.`,
          )}
        </p>
      )}
    </SendRun>
  );
}

/** How many rows of each sheet create, update and delete. */
function Sent({ plan: { sheets } }: Pick<PlanProps, 'plan'>) {
  const each = sheets.flatMap(({ sheet, made, counts: { created, updated, deleted } }) => {
    const counts = shownTotal([{ made, counts: { ...noCounts(), created, updated, deleted } }]);
    const pills = <Outcomes would counts={counts} />;
    return created + updated + deleted === 0 ? [] : [[sheet, pills] as const];
  });
  return each.length === 0 ? (
    <Box>
      {say(
        'Nothing would be sent: no row creates, updates or deletes anything.',
        'Er zou niets worden verstuurd: geen enkele rij maakt, wijzigt of verwijdert iets.',
      )}
    </Box>
  ) : (
    <section>
      <h2>{say('What is sent', 'Wat er verstuurd wordt')}</h2>
      <Pairs of={each} />
    </section>
  );
}

const REASONS: readonly (readonly [name: keyof Counts, text: Bilingual])[] = [
  [
    'invalid',
    t(
      '1 row can’t be sent as it stands.|{n} rows can’t be sent as they stand.',
      '1 rij kan zo niet verstuurd worden.|{n} rijen kunnen zo niet verstuurd worden.',
    ),
  ],
  [
    'conflict',
    t(
      '1 row doesn’t agree with what the service has now.|{n} rows don’t agree with what the service has now.',
      '1 rij klopt niet met wat het systeem nu heeft.|{n} rijen kloppen niet met wat het systeem nu heeft.',
    ),
  ],
  [
    'skipped',
    t(
      '1 row is passed over, as it says.|{n} rows are passed over, as they say.',
      '1 rij wordt overgeslagen, zoals er staat.|{n} rijen worden overgeslagen, zoals er staat.',
    ),
  ],
  [
    'unchanged',
    t(
      '1 row needs nothing: it was done before, or is so already.|{n} rows need nothing: they were done before, or are so already.',
      '1 rij heeft niets nodig: die is al gedaan, of is al zo.|{n} rijen hebben niets nodig: ze zijn al gedaan, of zijn al zo.',
    ),
  ],
];

/** Rows that are not sent, by the reason, with the way to them; nothing where all are sent. */
function NotSent({ run: { source }, plan: { counts } }: PlanProps) {
  const there = REASONS.filter(([name]) => counts[name] > 0);
  const placeOf = (status: string) =>
    ({ page: 'file', file: source ?? '', step: 'check', query: rowsQuery({ status: [status] }) }) as const;
  return (
    there.length > 0 && (
      <section>
        <h2>{say('What is not sent', 'Wat er niet verstuurd wordt')}</h2>
        <Listed
          items={there.map(([name, text]) => (
            <>
              {said(text, { n: counts[name] })}{' '}
              <a href={hrefOf(placeOf(name))}>{say('look at these', 'deze bekijken')}</a>
            </>
          ))}
        />
      </section>
    )
  );
}

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

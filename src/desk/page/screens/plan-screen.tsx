import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { noCounts, shownTotal } from '../../../core/counts.ts';
import { t } from '../../../core/language.ts';
import { aboutText } from '../../../core/shown-moment.ts';
import type { Plan, Run } from '../../contract/answers.ts';
import type { AskedOf } from '../../contract/asked.ts';
import { call, download } from '../call.ts';
import { figure, language, said, say } from '../language.ts';
import { begin, home } from '../live.ts';
import { Box, Button } from '../pieces/controls.tsx';
import { Check } from '../pieces/field.tsx';
import { hostOf, ScreenTitle, ServiceBadge } from '../pieces/frame.tsx';
import { Listed, more, Pairs } from '../pieces/lists.tsx';
import { Outcomes } from '../pieces/status-pill.tsx';
import { goTo, hrefOf } from '../router.ts';
import { RowsView } from '../table/rows-view.tsx';

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
  goTo(`/files/${file}/${step}`);
}

/** What each step with a plan is given. */
interface PlanProps {
  readonly run: Run;
  readonly plan: Plan;
}

/** The plan of a file: every row with what would become of it, to be looked through and corrected. */
export function PlanScreen({ run, plan }: PlanProps) {
  const { here, stale, source } = run;
  const { requests, estimateMs, corrections, leftOut, notes } = plan;
  const cost = [
    requests === 0 && corrections === 0
      ? say('Nothing would be sent.', 'Er zou niets worden verstuurd.')
      : say('1 request|{n} requests', '1 verzoek|{n} verzoeken', requests),
    estimateMs !== null && requests > 0 && aboutText(estimateMs)[language.value],
    correctionsText(corrections),
  ];
  return (
    <>
      <ScreenTitle title={say('What would change', 'Wat er zou veranderen')} stays>
        <span class="dim">{cost.filter(Boolean).join(' · ')}</span>
        {here ? (
          <Button
            look="primary"
            icon="right"
            // Corrected rows are checked with all others before anything of them is sent.
            onClick={() => (stale ? check(source, 'send') : goTo(`/files/${source}/send`))}
          >
            {say('Continue', 'Verder')}
          </Button>
        ) : (
          <Button onClick={() => check(source)}>
            {say('Check it for the service in use', 'Nakijken voor het systeem dat in gebruik is')}
          </Button>
        )}
      </ScreenTitle>
      {!here && <Box tone="warn">{said(ELSEWHERE)}</Box>}
      {leftOut.length > 0 && (
        <Box>
          {said(
            t(
              '1 sheet is not imported: {sheets}.|{n} sheets are not imported: {sheets}.',
              '1 werkblad wordt niet geïmporteerd: {sheets}.|{n} werkbladen worden niet geïmporteerd: {sheets}.',
            ),
            { n: leftOut.length, sheets: leftOut.join(', ') },
          )}{' '}
          <a href={hrefOf(`/files/${source}`)}>{say('Say what it holds', 'Zeg wat erop staat')}</a>
        </Box>
      )}
      {here && <UnnamedRows run={run} plan={plan} />}
      <LeftByUndo {...plan} />
      {notes.length > 0 && (
        <details class="notes">
          <summary>
            {say(
              `How the file was read (${figure(notes.length)})`,
              `Hoe het bestand gelezen is (${figure(notes.length)})`,
            )}
          </summary>
          <Listed items={notes} />
        </details>
      )}
      <RowsView key={run.run} {...{ run, plan, corrections }} canCorrect={here} />
    </>
  );
}

/** Asks whether rows that name no record are new; once answered, says so with the way back. */
function UnnamedRows({ run: { source }, plan: { unnamed, createUnnamed } }: PlanProps) {
  const rows = unnamed.reduce((sum, one) => sum + one.rows, 0);
  const sheets = new Intl.ListFormat(language.value).format(unnamed.map(({ sheet }) => sheet));
  if (rows === 0 && !createUnnamed) return null;
  return (
    <Box tone={rows === 0 ? 'plain' : 'warn'}>
      <p>
        {rows === 0 ? (
          say(
            'Rows that name no record are created as new, as you chose.',
            'Rijen die geen record noemen, worden als nieuw aangemaakt, zoals je koos.',
          )
        ) : (
          <>
            {said(
              t(
                '1 row of {sheets} names no record. Is it new?|{n} rows of {sheets} name no record. Are they new?',
                '1 rij van {sheets} noemt geen record. Is die nieuw?|{n} rijen van {sheets} noemen geen record. Zijn die nieuw?',
              ),
              { n: rows, sheets },
            )}{' '}
            {say(
              'A row is found again by its key. Without one it is only created if you say so.',
              'Een rij wordt teruggevonden op zijn sleutel. Zonder sleutel wordt die alleen aangemaakt als jij het zegt.',
            )}
          </>
        )}
      </p>
      <Button small onClick={() => check(source, 'check', { createUnnamed: rows > 0 })}>
        {rows === 0 ? say('Don’t create them', 'Niet aanmaken') : say('Create as new', 'Als nieuw aanmaken')}
      </Button>
    </Box>
  );
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
              'Something was changed since every row was checked.',
              'Er is iets gewijzigd sinds elke rij nagekeken is.',
            )}
          </p>
          <Button small onClick={() => check(run.source, 'send')}>
            {say('Check every row again', 'Elke rij opnieuw nakijken')}
          </Button>
        </Box>
      ) : (
        <>
          <Sent run={run} plan={plan} />
          <ComesTo {...plan} />
          <LeftByUndo {...plan} />
          <SendPlan run={run} plan={plan} />
          <section>
            <h2>{say('To show it to others first', 'Om het eerst aan anderen te laten zien')}</h2>
            <p class="dim">
              {say(
                'Its fingerprint, which is in the report too:',
                'De vingerafdruk, die ook in het verslag staat:',
              )}{' '}
              <code>{plan.fingerprint}</code>
            </p>
            <div class="row">
              <Button icon="download" onClick={() => download('result', asked)}>
                {say('Your workbook, with what would change', 'Je werkmap, met wat er zou veranderen')}
              </Button>
              <Button icon="download" onClick={() => download('report', asked)}>
                {say('A report of it', 'Een verslag ervan')}
              </Button>
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
  const service = home.value?.service;
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
        <p class={isReal ? 'kind' : undefined}>
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
    </SendRun>
  );
}

/** How many rows of each sheet create, update and delete, and what becomes of the others. */
function Sent({ run: { source }, plan: { sheets, counts } }: PlanProps) {
  const each = sheets.flatMap(({ sheet, made, counts: { created, updated, deleted } }) => {
    const pills = (
      <Outcomes would counts={shownTotal([{ made, counts: { ...noCounts(), created, updated, deleted } }])} />
    );
    return created + updated + deleted === 0 ? [] : [[sheet, pills] as const];
  });
  const others = { ...counts, created: 0, updated: 0, deleted: 0 };
  return (
    <>
      <section>
        <h2>{say('What is sent', 'Wat er verstuurd wordt')}</h2>
        {each.length === 0 &&
          say(
            'Nothing would be sent: no row creates, updates or deletes anything.',
            'Er zou niets worden verstuurd: geen enkele rij maakt, wijzigt of verwijdert iets.',
          )}
        <Pairs of={each} />
      </section>
      {counts.read > counts.created + counts.updated + counts.deleted && (
        <section>
          <h2>{say('What is not sent', 'Wat er niet verstuurd wordt')}</h2>
          <p class="row">
            <Outcomes would counts={shownTotal([{ made: undefined, counts: others }])} />
            <a href={hrefOf(`/files/${source}/check`)}>{say('look at these', 'deze bekijken')}</a>
          </p>
        </section>
      )}
    </>
  );
}

/** What the prices and counts come to, with the largest changes behind a fold. */
function ComesTo({ comesTo }: Pick<Plan, 'comesTo'>) {
  if (comesTo.length === 0) return null;
  return (
    <section>
      <h2>{say('What it comes to', 'Waar het op neerkomt')}</h2>
      {comesTo.map(({ text, largest }) => (
        <div key={text}>
          <p>{text}</p>
          {largest.length > 0 && (
            <details>
              <summary>{say('Largest changes', 'Grootste wijzigingen')}</summary>
              <Listed items={largest} />
            </details>
          )}
        </div>
      ))}
    </section>
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

interface SendProps extends Pick<Parameters<typeof Button>[0], 'look' | 'icon'> {
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
  const [agreed, setAgreed] = useState({ warn: false, over: false, bad: false });
  const warned = plan?.warned.sends ?? 0;
  const kinds = plan?.groups.filter(({ severity, sends }) => severity === 'warning' && sends > 0) ?? [];
  const over = plan?.over ?? '';
  const isLeft =
    (warned > 0 && !agreed.warn) || (over !== '' && !agreed.over) || (deletes > 0 && !agreed.bad);
  const agree = (what: keyof typeof agreed, title: string, yes: string, about?: ComponentChildren) => (
    <Box tone={what === 'bad' ? 'bad' : 'warn'} role="group">
      <p>
        <b>{title}</b>
      </p>
      {about}
      <Check checked={agreed[what]} onChange={(on) => setAgreed({ ...agreed, [what]: on })}>
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
      {over !== '' && agree('over', over, say('Yes, I looked at it', 'Ja, ik heb het bekeken'))}
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

import { aboutText } from '../../../core/codecs/moment.ts';
import { type Counts, noCounts, shownTotal } from '../../../core/counts.ts';
import { type Bilingual, t } from '../../../core/language.ts';
import { addressOf } from '../../contract/paths.ts';
import { home } from '../desk.ts';
import { figure, language, said, say } from '../language.ts';
import { Box, Button, ButtonLink } from '../pieces/controls.tsx';
import { hostOf, ServiceBadge } from '../pieces/frame.tsx';
import { Listed, Pairs } from '../pieces/lists.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { Outcomes } from '../pieces/status-pill.tsx';
import { hrefOf } from '../router.ts';
import { rowsQuery } from '../table/rows.ts';
import { check, type PlanProps } from './plan-screen.tsx';
import { ELSEWHERE, LeftByUndo, SendRun } from './sending.tsx';

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

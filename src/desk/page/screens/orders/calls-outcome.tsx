import type { JSX } from 'preact';
import { type Bilingual, t } from '../../../../core/language.ts';
import type { Tone } from '../../../../core/outcome-tones.ts';
import type { CallsAnswer } from '../../../contract/beside-documents.ts';
import type { JobDocument } from '../../../contract/documents.ts';
import { say, sayCount, whenText } from '../../language.ts';
import { JobView } from '../../pieces/job-view.tsx';
import { hostOf } from '../../pieces/service-badge.tsx';

type Status = CallsAnswer['calls'][number]['status'];

const STATES: Readonly<Record<Status, readonly [Bilingual, Tone]>> = {
  done: [t('done', 'gedaan'), 'good'],
  unchanged: [t('not sent again', 'niet nog eens verstuurd'), 'plain'],
  failed: [t('failed', 'mislukt'), 'bad'],
  unknown: [t('unknown', 'onbekend'), 'bad'],
  'not sent': [t('not sent', 'niet verstuurd'), 'warn'],
};
const ALL = t('All that the service had', 'Alles wat het systeem had');
const NUMBER = t('Number', 'Nummer');
const OUTCOME = t('Outcome', 'Uitkomst');
const WORDS = t('What there is to know', 'Wat je ervan moet weten');
const ONE = t('1 outcome', '1 uitkomst');
const OTHER = t('{n} outcomes', '{n} uitkomsten');
const SANDBOX = t('the sandbox', 'de sandbox');
const WHERE = t('{outcomes}, on {service} at {when}', '{outcomes}, op {service} om {when}');

/** Calls that are made now, or what became of each of those that were made last. */
export function CallsOutcome({ job }: { readonly job: JobDocument }): JSX.Element {
  const made = job.answer?.kind === 'calls' ? job.answer.document : null;
  return (
    <>
      <JobView job={job} />
      {made !== null && <Outcomes made={made} at={job.endedAt ?? job.startedAt} />}
    </>
  );
}

function Outcomes({ made, at }: { readonly made: CallsAnswer; readonly at: string }): JSX.Element {
  const { calls } = made;
  const service = made.service === 'sandbox' ? say(SANDBOX) : hostOf(made.service);
  const outcomes = sayCount(calls.length, ONE, OTHER);
  return (
    <table class="list calls">
      <caption class="dim">{say(WHERE, { outcomes, service, when: whenText(at) })}</caption>
      <thead>
        <tr>
          {[NUMBER, OUTCOME, WORDS].map((word) => (
            <th key={word.en} scope="col">
              {say(word)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {calls.map(({ id, status, message }) => {
          const [word, tone] = STATES[status];
          return (
            <tr key={id}>
              <th scope="row" class="figures">
                {id === 'all' ? say(ALL) : id}
              </th>
              <td>
                <span class={`pill ${tone}`}>{say(word)}</span>
              </td>
              <td>{message}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

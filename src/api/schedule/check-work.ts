import { EXIT } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { withSession } from '../../session/open-session.ts';
import type { CheckEntry } from '../../session/schedule.ts';
import { checkIn } from '../check-service.ts';
import type { CheckEnd } from '../documents.ts';
import { type EntryEnd, type EntryJob, joinedTexts } from './entry-job.ts';
import { sendReport } from './send-report.ts';

/** Does a check that is due. Throws StopError where nothing answers. */
export async function doCheck(job: EntryJob<CheckEntry>): Promise<EntryEnd> {
  const { checks, ok, service } = await withSession(job.options, undefined, (session) =>
    checkIn(session, {}),
  );
  const bad = checks.filter((check) => !check.ok).map(checkLine);
  const state = ok
    ? t(`${service} answers as it should.`, `${service} antwoordt zoals het hoort.`)
    : t(`${service} does not answer as it should.`, `${service} antwoordt niet zoals het hoort.`);
  const exit = ok ? EXIT.ok : EXIT.service;
  const failed = await sendReport(job, { exit, state, lines: bad });
  const said = [state, ...(ok ? [] : bad), ...(failed === null ? [] : [failed.texts.message])];
  return { exit, text: joinedTexts(said), did: true };
}

function checkLine({ what, found, advice }: CheckEnd['checks'][number]): Bilingual {
  const more = advice === null ? t('', '') : t(` ${advice.en}`, ` ${advice.nl}`);
  return t(`${what.en}: ${found.en}${more.en}`, `${what.nl}: ${found.nl}${more.nl}`);
}

import { checksPassed, checkService as eachCheck, type ServiceCheck } from '../check/check-service.ts';
import { findLists, savedCheck } from '../check/find-lists.ts';
import { t } from '../core/language.ts';
import { checkOptions, type OptionsOf } from '../options/options.ts';
import { endpoints } from '../resources/endpoints.ts';
import { orStop } from '../run/stop.ts';
import { type Session, withSession } from '../session/open-session.ts';
import { saveDropdowns } from '../session/save-profile.ts';
import type { CheckDocument } from './documents.ts';
import { type CheckEnd, checkDocument } from './make-documents.ts';

const SERVICE = t('from the service', 'uit het systeem');

/**
 * Checks the service with reads only: its address, the token, its lists and lookups. Throws StopError where
 * nothing answers.
 */
export async function checkService(options: OptionsOf<'checkService'> = {}): Promise<CheckDocument> {
  const given = checkOptions('checkService', options);
  return await withSession(given, undefined, async (session) =>
    checkDocument(await checkIn(session, given), session.settings.lang),
  );
}

/** The same within a session; `lists` looks for dropdown lists too, `save` writes their numbers down. */
export async function checkIn(
  { context, settings, embedded }: Session,
  { lists = false, save = false }: Pick<OptionsOf<'checkService'>, 'lists' | 'save'>,
): Promise<CheckEnd> {
  const checks: ServiceCheck[] = [];
  await orStop(context, async () => {
    const found = lists || save ? await findLists(context) : { checks: [], numbers: new Map() };
    const isSaved = save && !embedded && found.numbers.size > 0;
    const numbers: Record<string, number> = isSaved ? Object.fromEntries(found.numbers) : {};
    // What is written down is in use from here on, so that nothing advises it.
    const dialect = { ...context.dialect, dropdowns: { ...context.dialect.dropdowns, ...numbers } };
    const saved = isSaved ? await saveDropdowns(settings, numbers) : null;
    for await (const check of eachCheck({ ...context, dialect }, endpoints)) {
      checks.push(check);
      context.onProgress?.({ stage: 'reading', of: SERVICE, done: checks.length, total: null });
    }
    checks.push(...found.checks.map((check) => (saved === null ? check : { ...check, advice: null })));
    if (saved !== null) checks.push(savedCheck(saved.file, saved.profile, found.numbers));
  });
  return { service: context.serviceName, ok: checksPassed(checks), checks };
}

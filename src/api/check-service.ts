import {
  checksPassed,
  checkService as eachCheck,
  findLists,
  type ServiceCheck,
} from '../check/check-service.ts';
import { t } from '../core/language.ts';
import { checkOptions, type OptionsOf } from '../options/options.ts';
import { endpoints } from '../resources/registry.ts';
import { orStop } from '../run/stop.ts';
import { type Session, withSession } from '../session/open-session.ts';
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

/** The same within a session; `lists` shows the dropdown lists too. */
export async function checkIn(
  { context }: Session,
  { lists = false }: Pick<OptionsOf<'checkService'>, 'lists'>,
): Promise<CheckEnd> {
  const checks: ServiceCheck[] = [];
  await orStop(context, async () => {
    const found = lists ? await findLists(context) : [];
    for await (const check of eachCheck(context, endpoints)) {
      checks.push(check);
      context.onProgress?.({ stage: 'reading', of: SERVICE, done: checks.length, total: null });
    }
    checks.push(...found);
  });
  return { service: context.serviceName, ok: checksPassed(checks), checks };
}

import { checksPassed, checkService as eachCheck, type ServiceCheck } from '../check/check-service.ts';
import { checkOptions } from '../options/check-options.ts';
import type { OptionsOf } from '../options/options.ts';
import { endpoints } from '../resources/endpoints.ts';
import { orStop } from '../run/stop.ts';
import { type Session, withSession } from '../session/open-session.ts';
import { type CheckDocument, type CheckEnd, checkDocument } from './documents.ts';

/**
 * Checks the service with reads only: its address, the token, its lists and lookups. Throws StopError where
 * nothing answers.
 */
export async function checkService(options: OptionsOf<'checkService'> = {}): Promise<CheckDocument> {
  const given = checkOptions('checkService', options);
  return await withSession(given, undefined, async (session) =>
    checkDocument(await checkIn(session), session.settings.lang),
  );
}

/** The same within a session. */
export async function checkIn({ context }: Session): Promise<CheckEnd> {
  const checks: ServiceCheck[] = [];
  await orStop(context, async () => {
    for await (const check of eachCheck(context, endpoints)) checks.push(check);
  });
  return { service: context.serviceName, ok: checksPassed(checks), checks };
}

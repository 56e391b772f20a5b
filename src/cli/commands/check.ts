import { checkIn } from '../../api/check-service.ts';
import { checkDocument } from '../../api/make-documents.ts';
import { EXIT, type ExitCode } from '../../core/errors.ts';
import type { FlagsOf } from '../../options/options.ts';
import { inSession } from '../show.ts';
import { checkText } from '../view/summaries.ts';

/** `check`: whether the service answers, takes the token and gives its lists. */
export async function checkCommand(flags: FlagsOf<'check'>): Promise<ExitCode> {
  return await inSession(flags, undefined, async (session, view) => {
    const end = await checkIn(session, flags);
    view.show('check', checkDocument(end, view.language), checkText(end, view.language));
    return end.ok ? EXIT.ok : EXIT.service;
  });
}

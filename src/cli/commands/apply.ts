import { applyIn, exclusiveFor, isHandedOver } from '../../api/import-workbook.ts';
import { EXIT, type ExitCode } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { Given } from '../../options/options.ts';
import { asking, inSession, showImport } from '../show.ts';
import { DECLINED } from '../view/lines.ts';

/** `apply RUN`: sends a planned run exactly as shown, or continues an interrupted one. */
export async function applyCommand(flags: Given<'apply'>): Promise<ExitCode> {
  return await inSession(flags, exclusiveFor({ queue: flags.queue }), async (session, view) => {
    const options = { ...flags, onlyProblems: flags.only === 'problems' };
    const confirm = asking(flags, view, session);
    const end = await applyIn(session, flags.run, options, { confirm, tell: view.note });
    if (end !== null) return await showImport(view, end, flags);
    view.note((await isHandedOver(session, flags)) ? stillTheirs(flags.run) : DECLINED);
    return EXIT.ok;
  });
}

/** A No to a run that was handed over before. */
const stillTheirs = (run: string): Bilingual =>
  t(
    `Run ${run} was handed over before, and stays with the workers, who send it.`,
    `Run ${run} is al eerder overgegeven, en blijft bij de workers, die hem versturen.`,
  );

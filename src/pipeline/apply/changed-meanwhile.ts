import { type Issue, issueAt, shorten } from '../../schema/issue.ts';
import type { Change, PlannedRow } from '../../schema/plan.ts';
import { valueText } from '../../schema/row-text.ts';
import type { Language, Locale, Value } from '../../schema/value.ts';
import { RequestError } from '../../service/request-error.ts';
import { sameValue } from '../kinds/catalogue/existing.ts';
import type { Moved } from '../kinds/moved.ts';
import type { Ending } from './ending.ts';
import { cannotCheck } from './failure-outcome.ts';
import type { Sending } from './sending.ts';

/** Why a row may not be sent: its record changed since the plan, or that can't be found out; null when it may. */
export async function changedMeanwhile(sending: Sending, planned: PlannedRow): Promise<Ending | null> {
  try {
    const moved = await sending.guard.check(planned);
    if (moved === null) return null;
    await sending.conflicts.left(planned);
    const { message } = moved;
    return { status: 'conflict', id: planned.id, message, issues: fieldsApart(sending, planned, moved) };
  } catch (error) {
    if (error instanceof RequestError) return cannotCheck(planned, error);
    throw error;
  }
}

/** The row's own fields that someone else changed, each with what the plan read, the service holds and the sheet says. */
function fieldsApart({ addressOf, locale }: Sending, planned: PlannedRow, { now = {} }: Moved): Issue[] {
  return planned.changes.flatMap((change) => {
    const is = now[change.field];
    if (is === undefined || sameValue(is, change.from)) return [];
    const place = { field: change.field, address: addressOf(planned, change.field) };
    return [issueAt({ code: 'changed-meanwhile', ...apart(change, is, locale) }, place)];
  });
}

function apart({ from, to }: Change, is: Value, locale?: Locale) {
  const shown = (value: Value, language: Language): string => shorten(valueText(value, language, locale));
  return {
    found: to === null ? '#CLEAR' : typeof to === 'number' ? valueText(to, 'en', locale) : String(to),
    hint: {
      en: `${shown(from, 'en')}, is now ${shown(is, 'en')}`,
      nl: `${shown(from, 'nl')}, is nu ${shown(is, 'nl')}`,
    },
  };
}

import { t } from '../../core/language.ts';
import type { Bilingual } from '../../core/value.ts';
import type { LinkValues } from './links.ts';

/** Someone else changed the link meanwhile; both are what it held, as `contentOf` tells it. */
export function changedText(then: string, now: string): Bilingual {
  const [before = {}, after = {}] = [then, now].map((content) => (JSON.parse(content) as LinkValues[])[0]);
  const fields = Object.keys(after).filter((field) => before[field] !== after[field]);
  const say = (was: string, is: string): string =>
    fields.map((field) => `${field} ${was} ${before[field] ?? '-'}, ${is} ${after[field] ?? '-'}`).join('; ');
  return t(
    `changed on the service after it was read (${say('was', 'is')}); import again with --dry-run to see the difference: what you both changed waits for --on-conflict mine or theirs`,
    `gewijzigd op de dienst nadat het gelezen was (${say('was', 'is')}); importeer opnieuw met --dry-run om het verschil te zien: wat u allebei wijzigde wacht op --on-conflict mine of theirs`,
  );
}

/** Someone else linked it meanwhile. */
export const linkedText = (): Bilingual =>
  t(
    'linked on the service after it was read; import again with --dry-run to see the difference: what you both changed waits for --on-conflict mine or theirs',
    'op de dienst gekoppeld nadat het gelezen was; importeer opnieuw met --dry-run om het verschil te zien: wat u allebei wijzigde wacht op --on-conflict mine of theirs',
  );

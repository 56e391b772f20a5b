import { usageStop } from '../core/errors.ts';
import { normaliseHeader } from '../core/header.ts';
import { t } from '../core/language.ts';
import { nearest } from '../core/nearest.ts';
import type { Resource } from '../schema/resource.ts';

/**
 * The resource of that name or sheet, or the one that is given; `wordOf` gives a command's own word for it,
 * `others` what else it takes. Throws StopError with EXIT.usage, with similar names.
 */
export function resourceNamed<R extends Resource>(
  given: R | string,
  kinds: readonly R[],
  wordOf: (resource: R) => string = ({ name }) => name,
  others: readonly string[] = [],
): R {
  // JavaScript may give anything.
  if (typeof given === 'object' && given !== null && 'fields' in given) return given;
  const name = String(given);
  const wanted = normaliseHeader(name);
  const found = kinds.find((resource) =>
    [wordOf(resource), resource.name, resource.sheet].some((own) => normaliseHeader(own) === wanted),
  );
  if (found !== undefined) return found;
  const names = [...kinds.map(wordOf), ...others];
  const near = nearest(name, names).join(', ');
  const all = names.join(', ');
  throw usageStop(
    t(`There is no sheet ${name}.`, `Er is geen werkblad ${name}.`),
    near === ''
      ? t(`Name any of: ${all}.`, `Noem een of meer van: ${all}.`)
      : t(`Names that look like it: ${near}.`, `Namen die erop lijken: ${near}.`),
  );
}

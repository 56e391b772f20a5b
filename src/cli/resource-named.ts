import { normaliseHeader } from '../core/header.ts';
import { t } from '../core/language.ts';
import { nearest } from '../core/nearest.ts';
import type { Resource } from '../schema/resource.ts';
import { wrongUsage } from './stops.ts';

/**
 * The resource of that name or sheet; `wordOf` gives a command's own word for it, `others` what else it
 * takes. Throws StopError with EXIT.usage, with similar names.
 */
export function resourceNamed<R extends Resource>(
  given: string,
  resources: readonly R[],
  wordOf: (resource: R) => string = ({ name }) => name,
  others: readonly string[] = [],
): R {
  const wanted = normaliseHeader(given);
  const found = resources.find((resource) =>
    [wordOf(resource), resource.name, resource.sheet].some((own) => normaliseHeader(own) === wanted),
  );
  if (found !== undefined) return found;
  const names = [...resources.map(wordOf), ...others];
  const near = nearest(given, names).join(', ');
  const all = names.join(', ');
  throw wrongUsage(
    t(`There is no sheet ${given}.`, `Er is geen werkblad ${given}.`),
    near === ''
      ? t(`Name any of: ${all}.`, `Noem een of meer van: ${all}.`)
      : t(`Names that look like it: ${near}.`, `Namen die erop lijken: ${near}.`),
  );
}

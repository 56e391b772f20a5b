import { usageStop } from '../../core/errors.ts';
import { INPUT_MARKS, normaliseHeader } from '../../core/header.ts';
import { t } from '../../core/language.ts';
import { nearest } from '../../core/nearest.ts';
import type { Resource } from '../../schema/resource.ts';
import { type HeaderName, namesFor } from './header-names.ts';
import { isListed } from './listed-columns.ts';

/** What stands for a column that does not count. */
const PASSED_OVER = '-';

/** The headers that the user gives to a CSV without any. */
interface GivenColumns {
  readonly columns: readonly string[];
  /** They become the first row. */
  readonly headerRow: 1;
}

/**
 * The headers of `--columns`, undefined where none are given. Throws StopError with EXIT.usage for one that
 * no sheet has, naming those that look like it, and where `headerRow` names a row all the same.
 */
export function givenColumns(
  given: readonly string[] | undefined,
  resources: readonly Resource[],
  { names = [], headerRow }: { names?: readonly HeaderName[] | undefined; headerRow?: number | undefined },
): GivenColumns | undefined {
  if (given === undefined) return undefined;
  if (headerRow !== undefined)
    throw usageStop(
      t(
        'Names for the columns say that there is no row of headers, and a row of headers is named too.',
        'Namen voor de kolommen zeggen dat er geen kopregel is, en er is ook een kopregel genoemd.',
      ),
      t('Leave one of the two out.', 'Laat een van de twee weg.'),
    );
  const columns = given.map((name) => (name.trim() === '' ? PASSED_OVER : name.trim()));
  const known = new Set<string>(INPUT_MARKS);
  for (const resource of resources) for (const name of namesFor(resource, names).keys()) known.add(name);
  const unknown = columns.find(
    (name) =>
      name !== PASSED_OVER &&
      !known.has(normaliseHeader(name)) &&
      !resources.some((resource) => isListed(resource, name)),
  );
  if (unknown !== undefined) throw noColumn(unknown, resources);
  return { columns, headerRow: 1 };
}

function noColumn(name: string, resources: readonly Resource[]): Error {
  const fields = [...new Set(resources.flatMap(({ fields: own }) => Object.keys(own)))];
  const near = nearest(name, fields).join(', ');
  const skip = t(
    `${PASSED_OVER} stands for a column that does not count`,
    `${PASSED_OVER} staat voor een kolom die niet telt`,
  );
  return usageStop(
    t(`No sheet has a column ${name}.`, `Geen enkel werkblad heeft een kolom ${name}.`),
    near === ''
      ? t(`Use columns of the template; ${skip.en}.`, `Gebruik kolommen uit het sjabloon; ${skip.nl}.`)
      : t(
          `Columns that look like it: ${near}; ${skip.en}.`,
          `Kolommen die erop lijken: ${near}; ${skip.nl}.`,
        ),
  );
}

import { z } from 'zod';
import { t } from '../core/language.ts';
import { checkWords } from '../core/shape-words.ts';
import type { HeaderTable } from '../import/map/header-names.ts';
import { resources } from '../resources/registry.ts';
import type { Resource } from '../schema/resource.ts';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The name of a resource, or a resource: its shape is that of its type, and JavaScript may give anything. */
const isResource = (value: unknown): boolean =>
  typeof value === 'string' ||
  (isRecord(value) &&
    typeof value.name === 'string' &&
    typeof value.sheet === 'string' &&
    isRecord(value.fields));

const RESOURCE_NAMES = resources.map(({ name }) => name).join(', ');

const A_RESOURCE = t(
  `give one of ${RESOURCE_NAMES}, or a resource`,
  `geef een van ${RESOURCE_NAMES}, of een resource`,
);

const isTable = (value: unknown): boolean => typeof value === 'string' || isRecord(value);

const A_TABLE = t(
  'give a text such as Prijs=Verkoopprijs, or an object of headers',
  'geef een tekst zoals Prijs=Verkoopprijs, of een object met koppen',
);

/** What `--as` takes in the library: a resource, or its name. */
export const resourceOrName = z.custom<Resource | string>(isResource, checkWords(A_RESOURCE));

/** What `--map` takes in the library: a table, or a text as on the command line. */
export const headerMap = z.custom<HeaderTable | string>(isTable, checkWords(A_TABLE));

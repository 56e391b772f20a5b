import { type Bilingual, t } from '../core/language.ts';
import { kindOf } from '../kinds/kinds.ts';
import { type Field, readOnly } from '../schema/field.ts';
import type { Resource } from '../schema/resource.ts';
import type { ColumnRole } from '../xlsx/write/template-book.ts';

/** Which rows must fill in a column: every row, rows that create a record, or none. */
type ColumnNeed = 'always' | 'create' | 'never';

/** A field as a column to fill in. */
export interface TemplateField {
  readonly name: string;
  readonly field: Field;
  readonly role: Exclude<ColumnRole, 'mark'>;
  readonly need: ColumnNeed;
  /** Other columns that can be filled in instead; `alone` where only one of them may be. */
  readonly instead: readonly string[];
  readonly alone: boolean;
  /** Only taken of a row that creates a record. */
  readonly onlyNew: boolean;
}

const ACTIONS = [
  ['create', 'create'],
  ['update', 'update'],
  ['remove', 'delete'],
] as const;

/** The values that `#action` takes on a resource's sheet. */
export function actionsOf({ requests }: Resource): string[] {
  const can = ACTIONS.flatMap(([request, action]) => (request in requests ? [action] : []));
  return [...can, 'skip'];
}

/** Whether rows have a `#key`, as the service can't find them again. */
export const hasKey = (resource: Resource): boolean => kindOf(resource).keyed === true;

/** The columns of a resource to fill in: required ones first, then keys, then the others. */
export function templateFields(resource: Resource): TemplateField[] {
  const groups = groupsOf(resource);
  const amounts = amountsOf(resource);
  const fields = Object.entries(resource.fields)
    .filter(([, field]) => !readOnly(field))
    .map(([name, field]): TemplateField => {
      const need = needOf(resource, name);
      const role = need !== 'never' ? 'required' : resource.keys.includes(name) ? 'key' : 'optional';
      const group = groups.find((one) => one.includes(name)) ?? [];
      const instead = group.filter((other) => other !== name);
      const alone = amounts.alone && amounts.columns.includes(name);
      const onlyNew = 'update' in resource.requests && field.create !== 'none' && field.update === 'none';
      return { name, field, role, need, instead, alone, onlyNew };
    });
  return (['required', 'key', 'optional'] as const).flatMap((role) =>
    fields.filter((one) => one.role === role),
  );
}

function needOf(resource: Resource, name: string): ColumnNeed {
  const { fields, keys, requests } = resource;
  const field = fields[name];
  if (field === undefined) return 'never';
  if (field.refers !== undefined) return needOf(resource, field.refers.sets);
  if (amountsOf(resource).columns.includes(name)) return 'always';
  // Records that only the service creates are found again by their id.
  if (!('create' in requests)) return field.update === 'required' ? 'always' : 'never';
  if (field.create !== 'required') return 'never';
  return 'update' in requests && !keys.includes(name) ? 'create' : 'always';
}

/** Groups of columns of which one is enough. */
function groupsOf(resource: Resource): string[][] {
  const references = Object.entries(resource.fields).flatMap(([name, { refers }]) =>
    refers === undefined ? [] : [[refers.sets, name]],
  );
  const keys = 'external' in resource ? [[resource.id, resource.external]] : [];
  return [...references, ...keys, [...amountsOf(resource).columns]];
}

const amountsOf = (resource: Resource) =>
  kindOf(resource).amounts?.(resource) ?? { columns: [], alone: false };

const listed = (names: readonly string[]): Bilingual => t(names.join(' or '), names.join(' of '));

/** The column of the user's own key; null where the resource has none. */
export const ownKey = (resource: Resource): string | null =>
  'external' in resource ? resource.external : null;

/** When a column must be filled in, in a sentence or two. */
export function whenText(resource: Resource, field: TemplateField): Bilingual {
  const { name, role, need, instead, alone, onlyNew } = field;
  const { en, nl } = listed([name, ...instead]);
  if (role === 'key' && need === 'never') {
    const own = ownKey(resource) ?? name;
    return t(
      `To change an existing record: ${en}. A new row needs ${own}, or create in #action; leave the service’s own number empty there.`,
      `Om een bestaand record te wijzigen: ${nl}. Een nieuwe rij heeft ${own} nodig, of create in #action; laat het nummer van de dienst dan leeg.`,
    );
  }
  if (onlyNew && need === 'never')
    return t('Not required; only for a new record.', 'Niet verplicht; alleen bij een nieuw record.');
  if (need === 'never') return t('Not required.', 'Niet verplicht.');
  if (alone) return t(`Required: one of ${en}, not both.`, `Verplicht: één van ${nl}, niet allebei.`);
  if (instead.length > 0) return t(`Required: one of ${en}.`, `Verplicht: één van ${nl}.`);
  return need === 'always'
    ? t('Required.', 'Verplicht.')
    : t(
        'Required for a new record; may be empty in a change.',
        'Verplicht bij een nieuw record; mag leeg blijven bij een wijziging.',
      );
}

/** The same in a word or two, for a list of columns. */
export function whenWord(resource: Resource, { name, role, need, instead }: TemplateField): Bilingual {
  if (need === 'never' && name === ownKey(resource))
    return t('key; when new, or #action create', 'sleutel; bij nieuw, of #action create');
  if (need === 'never') return role === 'key' ? t('key', 'sleutel') : t('no', 'nee');
  if (instead.length > 0) return t('yes, one of two', 'ja, één van twee');
  return need === 'always' ? t('yes', 'ja') : t('when new', 'bij nieuw');
}

/** Where a column's values come from; null where users make them up. `listed`: the workbook has the list. */
export function sourceText(
  resource: Resource,
  { name, field }: TemplateField,
  { resources, listed }: { readonly resources: readonly Resource[]; readonly listed: boolean },
): Bilingual | null {
  if (field.lookup !== undefined) return lookupText(field.lookup.name, listed);
  if (field.refers !== undefined) return referenceText(field.refers.resources, name, resources);
  if ('external' in resource && name === resource.external)
    return t('A number of your own choice.', 'Een nummer dat je zelf kiest.');
  if ('id' in resource && name === resource.id)
    return t(
      'The service’s number; it stands in #id of a result.',
      'Het nummer van de dienst; het staat in #id van een resultaat.',
    );
  const isNumber = field.codec.type === 'integer' && /ID$/.test(name);
  return isNumber ? t('A number of the service.', 'Een nummer uit de dienst.') : null;
}

function lookupText(name: string, listed: boolean): Bilingual {
  return listed
    ? t(
        `The service’s list ${name}: choose a name, or type its number.`,
        `De lijst ${name} van de dienst: kies een naam, of typ het nummer.`,
      )
    : t(
        `The service’s list ${name}: a name from it, or its number.`,
        `De lijst ${name} van de dienst: een naam daaruit, of het nummer.`,
      );
}

/** On a reference such as `Event.ExternalID`, which names a record of another sheet. */
function referenceText(names: readonly string[], name: string, resources: readonly Resource[]): Bilingual {
  const sheets = names.flatMap((one) => resources.find((resource) => resource.name === one)?.sheet ?? []);
  const key = name.split('.').at(-1) ?? name;
  const { en, nl } = listed(sheets);
  return t(
    `${key} of sheet ${en}; also of a row in this workbook.`,
    `${key} van werkblad ${nl}; ook van een rij in deze werkmap.`,
  );
}

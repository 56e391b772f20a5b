import type { Resource } from '../../schema/resource.ts';
import type { Bilingual } from '../../schema/value.ts';
import type { TemplateField } from './requirement.ts';

const t = (en: string, nl: string): Bilingual => ({ en, nl });

const listed = (names: readonly string[]): Bilingual => t(names.join(' or '), names.join(' of '));

/** The column by which a new record is told from an existing one; null where rows have none. */
export function ownKey(resource: Resource): string | null {
  return 'external' in resource ? resource.external : null;
}

/** When a column must be filled in, as a sentence or two. */
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

/** Where the values of a column come from; null where people make them up. `listed` when they can be chosen from a list. */
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

/** `Event.ExternalID` names the ExternalID of a record on another sheet. */
function referenceText(names: readonly string[], name: string, resources: readonly Resource[]): Bilingual {
  const sheets = names.flatMap((one) => resources.find((resource) => resource.name === one)?.sheet ?? []);
  const key = name.split('.').at(-1) ?? name;
  const { en, nl } = listed(sheets);
  return t(
    `${key} of sheet ${en}; also of a row in this workbook.`,
    `${key} van werkblad ${nl}; ook van een rij in deze werkmap.`,
  );
}

import { type Bilingual, t } from '../core/language.ts';
import { type ExportColumn, firstOf, type OtherList } from '../records/listing.ts';
import type { AnswerRecord } from '../schema/answer.ts';

/** Follows which fields no record of an export has: their cells are empty, which need not be their value. */
export class AbsentMembers {
  private readonly others: readonly OtherList[];
  private absent: ReadonlySet<string>;
  private empty: ReadonlySet<string>;
  private any = false;

  /** `others`: the ways to list that this export did not take. */
  constructor(columns: readonly ExportColumn[], others: readonly OtherList[]) {
    const members = columns.flatMap(({ path, field }) => (field !== null && path.length === 1 ? path : []));
    const hollow = others.flatMap(({ orEmpty, fields }) => (orEmpty === true ? fields : []));
    this.others = others;
    this.absent = new Set(members);
    this.empty = new Set(members.filter((member) => hollow.includes(member)));
  }

  /** Takes the records of a page. After a few records that have all, this costs nothing. */
  saw(records: readonly AnswerRecord[]): void {
    for (const record of records) {
      this.any = true;
      if (this.absent.size > 0) this.absent = lacking(this.absent, (member) => record[member] === undefined);
      if (this.empty.size > 0) this.empty = lacking(this.empty, (member) => (record[member] ?? '') === '');
    }
  }

  /** Says which they are, and what gives them. */
  notes(): Bilingual[] {
    if (!this.any) return [];
    const names = [...new Set([...this.absent, ...this.empty])];
    const told = this.others.flatMap(({ fields, option }) => {
      const own = names.filter((name) => fields.includes(name));
      return own.length === 0 ? [] : [absentText(own, option)];
    });
    const known = this.others.flatMap(({ fields }) => fields);
    const rest = names.filter((name) => !known.includes(name));
    return rest.length === 0 ? told : [...told, absentText(rest)];
  }
}

const lacking = (members: ReadonlySet<string>, test: (member: string) => boolean): ReadonlySet<string> => {
  const left = [...members].filter(test);
  return left.length === members.size ? members : new Set(left);
};

function absentText(names: readonly string[], option?: string): Bilingual {
  const fields = firstOf(names);
  if (option === undefined)
    return t(
      `${fields}: the list that was read does not return this; its cells are empty, which an import leaves alone`,
      `${fields}: de lijst die gelezen is geeft dit niet; de cellen zijn leeg, en dat laat een import met rust`,
    );
  return t(
    `${fields}: empty in the list that was read; ${option} asks for it, and an import leaves empty cells alone`,
    `${fields}: leeg in de lijst die gelezen is; ${option} vraagt erom, en een import laat lege cellen met rust`,
  );
}

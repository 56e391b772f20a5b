import type { SecondService } from '../../second-service/second-service.ts';
import type { Cell, RowSpec } from '../any-service/draw-workbook.ts';
import { pacedRows } from './paced-rows.ts';

/** Rows of all seven sheets: those of `pacedRows`, and `size` times five recipes and six trips. */
export function allSheets(service: SecondService, size: number): RowSpec[] {
  const rows = pacedRows(service, size);
  const push = (
    told: Omit<RowSpec, 'row' | 'token' | 'cells'>,
    cells: (token: number) => RowSpec['cells'],
  ) => {
    const token = rows.length + 1;
    const row = 2 + rows.filter(({ sheet }) => sheet === told.sheet).length;
    rows.push({ ...told, row, token, cells: cells(token) });
  };
  for (let time = 0; time < 5 * size; time += 1) {
    const kept: Record<string, Cell> = { ProductCategorieID: 11, ProductEenheidWaardeID: 501, Gewicht: 0.25 };
    push({ sheet: 'Recepten', kind: 'recipe', does: 'create' }, (token) => ({
      ...{ ExternalID: 900_000 + token, OmschrijvingIntern: `R${token} Soep`, OPK: 4, ...kept },
    }));
  }
  for (let time = 0; time < 6 * size; time += 1) {
    const token = rows.length + 1;
    const target = service.add.trip({ Datum: '2027-03-01', Chauffeur: `Oud ${token}` });
    const isGone = time % 6 === 5;
    push({ sheet: 'Ritten', kind: 'trip', does: isGone ? 'delete' : 'update', target }, () => ({
      ...{ RitID: target, Datum: '2027-03-01', '#action': isGone ? 'delete' : null },
      ...(!isGone && { Chauffeur: `T${token} Bus`, RetourRit: true }),
    }));
  }
  return rows;
}

import { useContext } from 'preact/hooks';
import { SheetsShown } from './status-pill.tsx';

/** A field's name as people say it, of a sheet that is shown; the identifier where it has no other. */
export function useFieldName(sheet: string, field: string | null): string | null {
  const of = useContext(SheetsShown).find((one) => one.sheet === sheet);
  return field === null ? null : (of?.names[field] ?? field);
}

/** A field's name as people say it, with its identifier small beside it where that is another. */
export function FieldName({ sheet, field }: { readonly sheet: string; readonly field: string }) {
  const name = useFieldName(sheet, field) ?? field;
  const isOther = name.toLowerCase() !== field.toLowerCase();
  return (
    <>
      {name} {isOther && <small class="dim">{field}</small>}
    </>
  );
}

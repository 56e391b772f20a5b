import type { Piece } from '../piece.ts';
import type { ReportHead, ReportRow } from '../report-row.ts';
import { rowPiece } from '../report-row.ts';

/** A piece of a page as nodes; a text becomes a text node, and is never read as HTML. */
function toNode(piece: Piece): Node {
  if (typeof piece === 'string') return document.createTextNode(piece);
  const made = document.createElement(piece.tag);
  for (const [name, value] of Object.entries(piece.attributes)) made.setAttribute(name, value);
  made.append(...piece.children.map(toNode));
  return made;
}

/** Rows made at a time; the next ones when the end of the list comes near. */
const CHUNK = 100;

/** The page's table of rows: made as far as the reader scrolls, and wholly for printing. */
interface RowList {
  show(rows: readonly ReportRow[]): void;
  /** Makes the next rows; answers how many are left. */
  more(): number;
  /** Makes all rows; `fold` takes those away that were not there before. */
  unfold(): void;
  fold(): void;
}

/** Makes rows in the table's body; `onGrown` takes how many are left. */
export function rowList(body: HTMLElement, head: ReportHead, onGrown: (left: number) => void): RowList {
  let shown: readonly ReportRow[] = [];
  let made = 0;
  let before = 0;
  const grow = (count: number): number => {
    const next = shown.slice(made, made + count);
    body.append(...next.map((row) => toNode(rowPiece(row, head))));
    made += next.length;
    onGrown(shown.length - made);
    return shown.length - made;
  };
  return {
    show(rows) {
      shown = rows;
      made = 0;
      body.replaceChildren();
      grow(CHUNK);
    },
    more: () => grow(CHUNK),
    unfold() {
      before = made;
      grow(shown.length - made);
    },
    fold() {
      while (body.childElementCount > before) body.lastElementChild?.remove();
      made = before;
      onGrown(shown.length - made);
    },
  };
}

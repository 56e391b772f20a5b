import { fillIn, type Piece } from '../piece.ts';
import { PAGE_DATA, type ReportHead, type ReportRow, rowPiece } from '../report-row.ts';
import { fold, type RowWish, rowSearch, searchWords } from './row-search.ts';

/** A piece of a page as nodes; a text becomes a text node, and is never read as HTML. */
function toNode(piece: Piece): Node {
  if (typeof piece === 'string') return document.createTextNode(piece);
  const made = document.createElement(piece.tag);
  for (const [name, value] of piece.attributes) made.setAttribute(name, value);
  made.append(...piece.children.map(toNode));
  return made;
}

/** Rows made at a time; the next ones when the end of the list comes near. */
const CHUNK = 100;

/**
 * The page's table of rows: made as far as the reader scrolls, and wholly for printing. `onGrown` takes how
 * many are left.
 */
function rowList(body: HTMLElement, head: ReportHead, onGrown: (left: number) => void) {
  let shown: readonly ReportRow[] = [];
  let made = 0;
  let before = 0;
  const grow = (count: number): void => {
    const next = shown.slice(made, made + count);
    body.append(...next.map((row) => toNode(rowPiece(row, head))));
    made += next.length;
    onGrown(shown.length - made);
  };
  return {
    show(rows: readonly ReportRow[]): void {
      shown = rows;
      made = 0;
      body.replaceChildren();
      grow(CHUNK);
    },
    /** Makes the next rows. */
    more: () => grow(CHUNK),
    /** Makes all rows; `fold` takes those away that were not there before. */
    unfold(): void {
      before = made;
      grow(shown.length - made);
    },
    fold(): void {
      while (body.childElementCount > before) body.lastElementChild?.remove();
      made = before;
      onGrown(shown.length - made);
    },
  };
}

/** Highlights the words in a part of the page, where the browser can; the nodes stay as they are. */
function markFound(part: HTMLElement, words: readonly string[]): void {
  if (typeof Highlight === 'undefined' || CSS.highlights === undefined) return;
  const marked = new Highlight();
  CSS.highlights.set('found', marked);
  if (words.length === 0) return;
  const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    for (const range of placesIn(node as Text, words)) marked.add(range);
}

/** Folding may lengthen or drop a letter: each folded letter keeps the place that it came from. */
function placesIn(node: Text, words: readonly string[]): StaticRange[] {
  let folded = '';
  const from: number[] = [];
  let at = 0;
  for (const letter of node.data) {
    const own = fold(letter);
    folded += own;
    for (let each = 0; each < own.length; each++) from.push(at);
    at += letter.length;
  }
  from.push(at);
  return words.flatMap((word) => {
    const ranges: StaticRange[] = [];
    for (let start = folded.indexOf(word); start >= 0; start = folded.indexOf(word, start + word.length)) {
      const [startOffset = 0, endOffset = at] = [from[start], from[start + word.length]];
      ranges.push(new StaticRange({ startContainer: node, startOffset, endContainer: node, endOffset }));
    }
    return ranges;
  });
}

function find<E extends HTMLElement>(id: string, kind: new () => E): E {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${id}`);
}

const head = JSON.parse(find(PAGE_DATA.head, HTMLScriptElement).text) as ReportHead;
const rows = [...document.querySelectorAll<HTMLScriptElement>(`script.${PAGE_DATA.rows}`)].flatMap((part) => {
  const own = JSON.parse(part.text) as ReportRow[];
  part.remove();
  return own;
});
const { words } = head;
const number = new Intl.NumberFormat(head.language);
const search = rowSearch(rows, head);

const form = find('filter', HTMLFormElement);
const text = find('search', HTMLInputElement);
const sheet = find('sheet', HTMLSelectElement);
const outcome = find('outcome', HTMLSelectElement);
const told = find('told', HTMLElement);
const more = find('more', HTMLButtonElement);
const body = find('rows', HTMLElement);
const list = rowList(body, head, (left) => {
  more.hidden = left === 0;
  more.textContent = fillIn(words.more, { n: number.format(left) });
  markFound(body, searchWords(text.value).parts);
});

function wish(): RowWish {
  const chosen = outcome.value;
  return {
    text: text.value,
    sheet: sheet.value === '' ? null : Number(sheet.value),
    outcome: chosen === '' ? null : chosen === 'remarks' ? chosen : Number(chosen),
  };
}

function refresh(): void {
  const found = search(wish());
  const total = number.format(rows.length);
  const shown = found.length === rows.length ? words.all : words.shown;
  told.textContent =
    found.length === 0 ? words.none : fillIn(shown, { n: number.format(found.length), total });
  form.classList.toggle('filtered', found.length < rows.length);
  list.show(found);
}

/** Shows the rows of a link: of a sheet, an outcome, a row number; what it does not name is left open. */
function showOnly(wanted: DOMStringMap): void {
  text.value = wanted.row === undefined ? '' : `#${wanted.row}`;
  sheet.value = wanted.sheet ?? '';
  outcome.value = wanted.outcome ?? '';
  refresh();
  find('list', HTMLElement).scrollIntoView();
  // Not what is typed into: a phone would bring its keyboard.
  find('list-title', HTMLElement).focus({ preventScroll: true });
}

let waiting: number | undefined;
function soon(): void {
  clearTimeout(waiting);
  waiting = setTimeout(refresh, rows.length > 2000 ? 120 : 0);
}

form.hidden = false;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  refresh();
});
form.addEventListener('reset', () => setTimeout(refresh));
text.addEventListener('input', soon);
for (const choice of [sheet, outcome]) choice.addEventListener('change', refresh);
for (const link of document.querySelectorAll<HTMLElement>('a[data-sheet], a[data-outcome]')) {
  link.addEventListener('click', (event) => {
    event.preventDefault();
    showOnly(link.dataset);
  });
}
more.addEventListener('click', () => list.more());
const ahead = new IntersectionObserver(
  (seen) => {
    if (more.hidden || !seen.some(({ isIntersecting }) => isIntersecting)) return;
    list.more();
    // Looked at anew: short rows may leave it where it is.
    ahead.unobserve(more);
    ahead.observe(more);
  },
  { rootMargin: '1500px' },
);
ahead.observe(more);
addEventListener('beforeprint', () => list.unfold());
addEventListener('afterprint', () => list.fold());
refresh();
